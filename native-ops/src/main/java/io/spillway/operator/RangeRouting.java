package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import org.apache.spark.Partitioner;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * By Spark's own range partitioner. It compares rows, so the keys, and only they, are made rows of.
 */
final class RangeRouting implements ExchangeRouting {
  private final Evaluator keys;
  private final int keyCount;
  private final Partitioner ranges;
  private final RowBatch batch;
  private final UnsafeRow row;

  RangeRouting(OperatorContext context, Program keys, Partitioner ranges, int maxRows) {
    this.keys = new Evaluator(context, keys, maxRows);
    this.keyCount = keys.outputTypes().length;
    this.ranges = ranges;
    this.batch = new RowBatch(context, keyCount, maxRows);
    this.row = new UnsafeRow(keyCount);
  }

  @Override
  public void route(SliceReader slice, long pids) {
    keys.evaluate(slice);
    Platform.copyMemory(
        null, keys.outputs(), null, batch.column(0), (long) keyCount * Abi.COLUMN_SIZE);
    int done = 0;
    while (done < slice.rows()) {
      long written = Kernels.columnsToRows(batch.forRows(slice.rows()), done);
      if (written < 0) {
        batch.grow(batch.neededBytes());
        continue;
      }
      for (int i = 0; i < written; i++) {
        row.pointTo(null, batch.row(i), batch.offset(i + 1) - batch.offset(i));
        Platform.putInt(null, pids + 4L * (done + i), ranges.getPartition(row));
      }
      done += (int) written;
    }
  }
}
