package io.spillway.resilience.process;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The query of the job: an aggregation whose state does not fit, a join, an aggregation and an
 * order, with a shuffle before each. Its right answer is computed without Spark.
 *
 * @param rows that are aggregated
 * @param keys how many groups they make
 */
record GroupTotals(long rows, int keys) {
  private static final int GROUPS = 101;
  private static final long STEP = 7919;

  /** So much that its state spills in a few MiB. */
  static final GroupTotals LARGE = new GroupTotals(600_000, 60_000);

  /** So little that nothing of it spills. */
  static final GroupTotals SMALL = new GroupTotals(20_000, 500);

  Dataset<Row> query(SparkSession spark) {
    return spark.sql(
        """
        select g, sum(s) as s, sum(c) as c, max(k) as k
        from (select k, sum(v) as s, count(*) as c
              from (select id as v, id * %d %% %d as k from range(0, %d, 1, 8))
              group by k)
        join (select id as j, id %% %d as g from range(0, %d, 1, 8)) on k = j
        group by g order by g
        """
            .formatted(STEP, keys, rows, GROUPS, keys));
  }

  /** What is wrong with an answer; empty if nothing is. */
  String difference(List<Row> answer) {
    List<String> expected = expected();
    List<String> actual = answer.stream().map(Row::toString).toList();
    if (actual.equals(expected)) {
      return "";
    }
    if (actual.size() != expected.size()) {
      return actual.size() + " rows where " + expected.size() + " were expected";
    }
    int row = 0;
    while (actual.get(row).equals(expected.get(row))) {
      row++;
    }
    return "row " + row + " is " + actual.get(row) + " instead of " + expected.get(row);
  }

  private List<String> expected() {
    long[] sums = new long[keys];
    long[] counts = new long[keys];
    for (long id = 0; id < rows; id++) {
      int key = (int) (id * STEP % keys);
      sums[key] += id;
      counts[key]++;
    }
    long[][] groups = new long[GROUPS][3];
    for (int key = 0; key < keys; key++) {
      if (counts[key] > 0) {
        long[] group = groups[key % GROUPS];
        group[0] += sums[key];
        group[1] += counts[key];
        group[2] = key;
      }
    }
    List<String> lines = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      if (groups[group][1] > 0) {
        lines.add(
            "[%d,%d,%d,%d]".formatted(group, groups[group][0], groups[group][1], groups[group][2]));
      }
    }
    return lines;
  }
}
