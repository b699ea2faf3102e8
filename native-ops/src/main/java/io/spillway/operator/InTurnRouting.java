package io.spillway.operator;

import org.apache.spark.TaskContext;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.random.XORShiftRandom;

/**
 * One row after the other to the next partition, so that a task's rows are shared out evenly
 * whatever they are. Tasks start at different partitions, as Spark's do, so that many small ones
 * fill all partitions alike; a task that runs again starts where it did.
 */
final class InTurnRouting implements ExchangeRouting {
  private final int partitions;
  private int last;

  InTurnRouting(int partitions) {
    this.partitions = partitions;
    this.last = new XORShiftRandom(TaskContext.getPartitionId()).nextInt(partitions);
  }

  @Override
  public void route(SliceReader slice, long pids) {
    int rows = slice.rows();
    for (int i = 0; i < rows; i++) {
      last = last + 1 == partitions ? 0 : last + 1;
      Platform.putInt(null, pids + 4L * i, last);
    }
  }
}
