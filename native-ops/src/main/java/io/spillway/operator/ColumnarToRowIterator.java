package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Writes native batches as {@link UnsafeRow}s into a native buffer and hands out one row object
 * that moves over it: a row is valid until the next one is asked for. Used by the task's thread
 * alone.
 */
final class ColumnarToRowIterator implements Iterator<InternalRow> {
  private static final long SMALLEST_BUFFER_BYTES = 8 * 1024;
  private static final long LARGEST_BUFFER_BYTES = 512 * 1024;

  private final OperatorContext context;
  private final OperatorMetrics metrics;
  private final SliceReader slice;
  private final UnsafeRow row;
  private final int fields;
  private final NativeBlock arena;
  private final long block;
  private final long columns;
  private final long offsets;
  private NativeBlock data;
  private int written;
  private int handedOut;
  private int sliceRow;
  private boolean hasSlice;

  ColumnarToRowIterator(
      Iterator<ColumnarBatch> child, List<DataType> types, OperatorMetrics metrics) {
    this.metrics = metrics;
    context = OperatorContext.open("ColumnarToRow", null, metrics);
    fields = types.size();
    row = new UnsafeRow(fields);
    boolean[] needed = new boolean[fields];
    Arrays.fill(needed, true);
    int maxRows = context.batchRows(types);
    slice = new SliceReader(child, context, types, needed, maxRows);
    long descriptors = (long) Math.max(1, fields) * Abi.COLUMN_SIZE;
    arena = context.memory().allocate(Abi.ROW_BATCH_SIZE + descriptors + 4L * (maxRows + 1));
    block = arena.address();
    columns = block + Abi.ROW_BATCH_SIZE;
    offsets = columns + descriptors;
    data =
        context
            .memory()
            .allocate(
                Math.max(
                    SMALLEST_BUFFER_BYTES,
                    Math.min(LARGEST_BUFFER_BYTES, context.budget().shareBytes() / 32)));
    Platform.putLong(null, block + Abi.ROW_BATCH_COLUMNS, columns);
    Platform.putLong(null, block + Abi.ROW_BATCH_OFFSETS, offsets);
    Platform.putInt(null, block + Abi.ROW_BATCH_NCOLUMNS, fields);
  }

  @Override
  public boolean hasNext() {
    while (handedOut == written) {
      if (hasSlice && sliceRow < slice.rows()) {
        write();
      } else if (!nextSlice()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int start = Platform.getInt(null, offsets + 4L * handedOut);
    int end = Platform.getInt(null, offsets + 4L * (handedOut + 1));
    handedOut++;
    row.pointTo(null, data.address() + start, end - start);
    return row;
  }

  private boolean nextSlice() {
    hasSlice = slice.advance();
    if (!hasSlice) {
      return false;
    }
    sliceRow = 0;
    for (int i = 0; i < fields; i++) {
      slice.column(i).describeTo(columns + (long) i * Abi.COLUMN_SIZE);
    }
    Platform.putInt(null, block + Abi.ROW_BATCH_ROWS, slice.rows());
    metrics.batch(slice.rows());
    return true;
  }

  private void write() {
    while (true) {
      Platform.putLong(null, block + Abi.ROW_BATCH_DATA, data.address());
      Platform.putLong(null, block + Abi.ROW_BATCH_CAPACITY, data.size());
      long result = Kernels.columnsToRows(block, sliceRow);
      if (result >= 0) {
        written = (int) result;
        handedOut = 0;
        sliceRow += written;
        return;
      }
      long needed = Platform.getLong(null, block + Abi.ROW_BATCH_NEED);
      data.close();
      data = context.memory().allocate(needed);
    }
  }
}
