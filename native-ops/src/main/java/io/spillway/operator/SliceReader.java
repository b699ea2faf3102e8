package io.spillway.operator;

import io.spillway.memory.ForeignCharge;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.Retry;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads a columnar child in slices of at most so many rows, in the kernels' form.
 *
 * <p>A slice is valid until the next {@link #advance()}. When a slice's strings find no memory, or
 * would leave none for others, the slice is halved, down to one row. Used by one thread at a time;
 * its memory is the operator's.
 */
final class SliceReader implements NativeColumns {
  private final Iterator<ColumnarBatch> child;
  private final OperatorMemory memory;
  private final ForeignCharge vectors;
  private final ColumnImporter[] importers;
  private final NativeVector[] columns;
  private final SliceSize size;
  private ColumnarBatch batch;
  private int nextRow;
  private int rows;

  /**
   * @param types the child's column types
   * @param needed which of the columns are read; the others stay null
   */
  SliceReader(
      Iterator<ColumnarBatch> child,
      OperatorContext context,
      List<DataType> types,
      boolean[] needed,
      int maxRows) {
    this.child = child;
    this.memory = context.memory();
    this.vectors = memory.foreignCharge();
    this.size = new SliceSize(maxRows);
    this.importers = new ColumnImporter[types.size()];
    this.columns = new NativeVector[types.size()];
    // Any column that is read may be one of strings; shared out so that all of them together fit.
    long readColumns = IntStream.range(0, needed.length).filter(i -> needed[i]).count();
    long textLimitBytes = context.textLimitBytes() / Math.max(1, readColumns);
    for (int i = 0; i < importers.length; i++) {
      if (needed[i]) {
        importers[i] =
            new ColumnImporter(
                memory, types.get(i), maxRows, context.dictionaryLimitBytes(), textLimitBytes);
      }
    }
  }

  /** Moves to the next slice that has a row; false at the end. */
  boolean advance() {
    while (batch == null || nextRow == batch.numRows()) {
      if (!child.hasNext()) {
        return false;
      }
      batch = child.next();
      nextRow = 0;
      chargeVectors();
    }
    memory.batchBoundary();
    rows = size.next(batch.numRows() - nextRow);
    Retry.withLess(memory, this::loadWhatFits, this::loadHalf);
    nextRow += rows;
    size.loaded();
    return true;
  }

  /** Fewer rows than were meant, if their strings take more than their part of the share. */
  private void loadWhatFits() {
    boolean loaded = false;
    while (!loaded) {
      try {
        load();
        loaded = true;
      } catch (SliceTooLargeException e) {
        rows = size.half(rows);
      }
    }
  }

  private boolean loadHalf() {
    if (rows == 1) {
      return false;
    }
    rows = size.half(rows);
    return true;
  }

  @Override
  public boolean halve() {
    if (rows <= 1) {
      return false;
    }
    int kept = size.half(rows);
    nextRow -= rows - kept;
    rows = kept;
    return true;
  }

  /** Off-heap vectors are Spark's reader's, which reuses and grows them and counts them nowhere. */
  private void chargeVectors() {
    long bytes = 0;
    for (int i = 0; i < batch.numCols() && SparkVectors.available(); i++) {
      if (batch.column(i) instanceof WritableColumnVector vector) {
        bytes += SparkVectors.nativeBytes(vector);
      }
    }
    if (bytes != vectors.bytes()) {
      vectors.resize(bytes);
    }
  }

  private void load() {
    for (int i = 0; i < importers.length; i++) {
      if (importers[i] != null) {
        columns[i] = importers[i].load(batch.column(i), nextRow, rows);
      }
    }
  }

  /** Rows of the slice. */
  @Override
  public int rows() {
    return rows;
  }

  /** A column of the slice; null if it is not needed. */
  @Override
  public NativeVector column(int ordinal) {
    return columns[ordinal];
  }
}
