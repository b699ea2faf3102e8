package io.spillway.operator;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.SharedLease;
import io.spillway.memory.SharedRegion;
import java.util.List;
import java.util.Optional;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.sql.types.DataType;

/**
 * Where a broadcast join finds its build rows: a table that is built once per executor if there is
 * room for it, and the rows themselves in any case. Immutable.
 *
 * @param key names the table within the application: the broadcast and what the join keeps of it
 * @param rows the broadcast's value
 * @param types of the rows' columns
 * @param reading metrics of those who read the rows, not of the join
 */
record BroadcastTable(
    String key, BroadcastRows rows, List<DataType> types, OperatorMetrics reading) {
  /**
   * The executor's table, built here if no other task has done so.
   *
   * @param frame of a task, which keeps the lease no longer than its join
   * @return nothing if the executor has no room for it
   */
  Optional<SharedLease<SharedTable>> lease(JoinFrame frame) {
    ExecutorMemory executor = ExecutorMemory.installed().orElseThrow();
    long estimate =
        SharedTable.estimateBytes(rows.rows(), frame.buildLayout().rowWidth(), rows.bytes());
    // Spark cannot take shared memory back for tasks: it is less than one of them could count on.
    if (estimate > frame.context().budget().shareBytes()) {
      return Optional.empty();
    }
    try (SharedTableBuilder builder = new SharedTableBuilder(frame)) {
      return Optional.of(
          executor
              .shared()
              .lease(
                  key,
                  SharedTable.class,
                  frame.memory().task(),
                  region -> build(region, builder, frame)));
    } catch (SparkOutOfMemoryError noRoom) {
      // Whatever was short: the rows can be joined without the table, in any amount of memory.
      return Optional.empty();
    }
  }

  private SharedTable build(SharedRegion region, SharedTableBuilder builder, JoinFrame frame) {
    ExchangeReadIterator batches = batches();
    try {
      BuildRows input =
          new BuildInput(batches, frame.context(), frame.spec(), types, frame.maxRows());
      return builder.build(region, input);
    } finally {
      batches.close();
    }
  }

  /** The rows as batches, read by an operator of its own in the current task. */
  ExchangeReadIterator batches() {
    return new ExchangeReadIterator(rows.images(), types, reading, imageRows -> {});
  }
}
