package io.spillway.operator;

import io.spillway.memory.SharedRegion;
import java.util.Iterator;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Writes the build rows of a broadcast join into a spill file for all tasks of the executor. What
 * it works with is an operator of its task, which spills under pressure like any; what it has
 * written when it fails goes with that task. Used by one thread, once.
 */
final class SharedPartitionsBuilder {
  private JoinTable table;

  /**
   * Partitions all rows and writes them.
   *
   * @param region that the file belongs to afterwards
   * @param rows of the build side
   * @param metrics of the join: they count what is written, once for the executor
   * @throws io.spillway.memory.spill.SpillException if the disk fails
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if this task has not even the memory to
   *     partition rows
   */
  SharedPartitions build(
      SharedRegion region, Iterator<ColumnarBatch> rows, JoinShape shape, OperatorMetrics metrics) {
    OperatorContext context =
        OperatorContext.open("BroadcastHashJoin(build)", this::spill, metrics);
    JoinFrame frame = shape.fillingFrame(context);
    BuildRows input =
        new BuildInput(rows, context, shape.spec(), shape.buildTypes(), frame.maxRows());
    table = new JoinTable(frame, JoinTable.bits(context), 0);
    while (input.next()) {
      table.add(input);
    }
    SharedPartitions partitions = table.share(region);
    table = null;
    context.end();
    return partitions;
  }

  private long spill(long bytes) {
    return table == null ? 0 : table.spill(bytes, 0);
  }
}
