package io.spillway.operator;

import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Puts out the build rows of a table that nothing has matched, and frees each partition when it is
 * through. A partition that is spilled on the way is left: what was put out of it is marked. Used
 * by the task's thread alone.
 */
final class UnmatchedBuilds {
  private final JoinFrame frame;
  private final JoinTable table;
  private int partition;
  private int page;
  private int row;

  /** The table is the one that the frame's probe is over. */
  UnmatchedBuilds(JoinFrame frame, JoinTable table) {
    this.frame = frame;
    this.table = table;
  }

  /** The next batch; null at the end. */
  ColumnarBatch next() {
    JoinProbe probe = frame.probe();
    frame.memory().batchBoundary();
    while (partition < table.partitions()) {
      if (probe.pairs() > 0) {
        return frame.output().builds(probe);
      }
      if (table.isAbsent(partition) || page == table.partition(partition).pages()) {
        if (!table.isAbsent(partition)) {
          table.clear(partition);
        }
        partition++;
        page = 0;
        row = 0;
        continue;
      }
      row = probe.unmatchedBuilds(partition, page, row);
      if (row == table.partition(partition).pageRows(page)) {
        page++;
        row = 0;
      }
    }
    return null;
  }
}
