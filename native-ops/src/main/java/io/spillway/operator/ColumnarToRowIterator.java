package io.spillway.operator;

import io.spillway.kernel.Kernels;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Writes native batches as {@link UnsafeRow}s into a native buffer and hands out one row object
 * that moves over it: a row is valid until the next one is asked for. Used by the task's thread
 * alone.
 */
final class ColumnarToRowIterator implements Iterator<InternalRow> {
  private final OperatorMetrics metrics;
  private final SliceReader slice;
  private final UnsafeRow row;
  private final int fields;
  private final RowBatch batch;
  private int written;
  private int handedOut;
  private int sliceRow;
  private boolean hasSlice;

  ColumnarToRowIterator(
      Iterator<ColumnarBatch> child, List<DataType> types, OperatorMetrics metrics) {
    this.metrics = metrics;
    OperatorContext context = OperatorContext.open("ColumnarToRow", null, metrics);
    fields = types.size();
    row = new UnsafeRow(fields);
    boolean[] needed = new boolean[fields];
    Arrays.fill(needed, true);
    int maxRows = context.batchRows(types);
    slice = new SliceReader(child, context, types, needed, maxRows);
    batch = new RowBatch(context, fields, maxRows);
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
    int bytes = batch.offset(handedOut + 1) - batch.offset(handedOut);
    row.pointTo(null, batch.row(handedOut), bytes);
    handedOut++;
    return row;
  }

  private boolean nextSlice() {
    hasSlice = slice.advance();
    if (!hasSlice) {
      return false;
    }
    sliceRow = 0;
    for (int i = 0; i < fields; i++) {
      slice.column(i).describeTo(batch.column(i));
    }
    metrics.batch(slice.rows());
    return true;
  }

  private void write() {
    while (true) {
      long result = Kernels.columnsToRows(batch.forRows(slice.rows()), sliceRow);
      if (result >= 0) {
        written = (int) result;
        handedOut = 0;
        sliceRow += written;
        return;
      }
      batch.grow(batch.neededBytes());
    }
  }
}
