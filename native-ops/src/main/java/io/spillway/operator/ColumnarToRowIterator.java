package io.spillway.operator;

import io.spillway.kernel.Kernels;
import io.spillway.memory.TaskMemory;
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
 * that moves over it: a row is valid until the next one is asked for. Used by one thread at a time;
 * one that is not the task's reads in steps that the task's end waits for, and gets copies.
 */
final class ColumnarToRowIterator implements Iterator<InternalRow> {
  private final OperatorContext context;
  private final OperatorMetrics metrics;
  private final SliceReader slice;
  private final UnsafeRow row;
  private final int fields;
  private final RowBatch batch;
  private final TaskMemory task;

  /**
   * For a thread that is not the task's, which may still look at its row when the task has ended.
   */
  private UnsafeRow copy;

  private int written;
  private int handedOut;
  private int sliceRow;
  private boolean hasSlice;
  private boolean ended;

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
    batch = new RowBatch(context, fields, maxRows);
    task = context.memory().task();
  }

  @Override
  public boolean hasNext() {
    if (task.isTaskThread()) {
      return advance();
    }
    if (copy == null) {
      copy = task.onHelperThread(() -> advance() ? take().copy() : null, null);
    }
    return copy != null;
  }

  private boolean advance() {
    while (handedOut == written) {
      if (hasSlice && sliceRow < slice.rows()) {
        write();
      } else if (ended || !nextSlice()) {
        end();
        return false;
      }
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (task.isTaskThread()) {
      return take();
    }
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    UnsafeRow result = copy;
    copy = null;
    return result;
  }

  private UnsafeRow take() {
    if (!advance()) {
      throw new NoSuchElementException();
    }
    int bytes = batch.offset(handedOut + 1) - batch.offset(handedOut);
    row.pointTo(null, batch.row(handedOut), bytes);
    handedOut++;
    return row;
  }

  private void end() {
    if (!ended) {
      ended = true;
      // The last row may still be looked at after it turned out to be the last.
      if (row.getBaseObject() == null && row.getSizeInBytes() > 0) {
        UnsafeRow kept = row.copy();
        row.pointTo(kept.getBaseObject(), kept.getBaseOffset(), kept.getSizeInBytes());
      }
      context.end();
    }
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
