package io.spillway.operator;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.Retry;
import io.spillway.memory.SharedLease;
import io.spillway.memory.SharedRegion;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * Where a broadcast join finds its build rows: in what the tasks of an executor share, which is a
 * table if there is room for one, else partitions on disk. Immutable.
 *
 * @param key names the rows within the application: the broadcast and what the join keeps of it
 * @param rows of the broadcast
 * @param types of the rows' columns
 * @param reading metrics of those who read the rows, not of the join
 */
record BroadcastTable(
    String key, BroadcastRows rows, List<DataType> types, OperatorMetrics reading) {
  /**
   * What the executor has of the rows, made here if no other task has done so.
   *
   * @param metrics of the join; only the task that builds adds to them
   * @return a lease, which the caller closes; at the latest, its task's scope does
   */
  SharedLease<SharedBuild> lease(JoinShape shape, OperatorMetrics metrics) {
    return ExecutorMemory.installed()
        .orElseThrow()
        .shared()
        .lease(
            key,
            SharedBuild.class,
            OperatorContext.taskMemory("BroadcastHashJoin"),
            region -> build(region, shape, metrics));
  }

  private SharedBuild build(SharedRegion region, JoinShape shape, OperatorMetrics metrics) {
    SharedTable table = table(region, shape, metrics);
    return table == null ? partitions(region, shape, metrics) : table;
  }

  /** The table; null if the executor has no room for it. */
  private SharedTable table(SharedRegion region, JoinShape shape, OperatorMetrics metrics) {
    OperatorContext context = OperatorContext.open("BroadcastHashJoin(build)", null, metrics);
    int rowWidth = RowLayout.rowWidth(shape.spec().rowTypes());
    long estimate = SharedTable.estimateBytes(rows.rows(), rowWidth, rows.bytes());
    SharedTable table = null;
    // Spark cannot take shared memory back for tasks: it is less than one of them could count on.
    if (estimate <= context.budget().shareBytes()) {
      table =
          Retry.ifRoom(context.memory(), () -> table(region, shape.fillingFrame(context)))
              .orElse(null);
      if (table == null) {
        // Whatever was short: the rows can be joined without the table, in any amount of memory.
        region.clear();
      }
    }
    context.end();
    return table;
  }

  private SharedTable table(SharedRegion region, JoinFrame frame) {
    ExchangeReadIterator batches = batches();
    try (SharedTableBuilder builder = new SharedTableBuilder(frame)) {
      BuildRows input =
          new BuildInput(batches, frame.context(), frame.spec(), types, frame.maxRows());
      return builder.build(region, input);
    } finally {
      batches.close();
    }
  }

  private SharedPartitions partitions(
      SharedRegion region, JoinShape shape, OperatorMetrics metrics) {
    ExchangeReadIterator batches = batches();
    SharedPartitions written = new SharedPartitionsBuilder().build(region, batches, shape, metrics);
    batches.close();
    return written;
  }

  /** The rows as batches, read by an operator of its own in the current task. */
  private ExchangeReadIterator batches() {
    return new ExchangeReadIterator(rows.images(), types, reading, imageRows -> {});
  }
}
