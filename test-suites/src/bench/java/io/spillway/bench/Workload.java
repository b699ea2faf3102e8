package io.spillway.bench;

import io.spillway.tpch.TpchQueries;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * What engines are measured with.
 *
 * @param name as reports call it
 * @param text SQL over the tables of TPC-H and of {@link MicroTables}
 */
record Workload(String name, String text) {
  private static final List<Workload> MICRO =
      List.of(
          // One row comes out of each, so that no time goes into carrying results.
          new Workload(
              "group by 5 M keys",
              """
              SELECT count(*), sum(n), sum(total), max(highest), min(lowest), sum(mean)
              FROM (SELECT k, count(*) AS n, sum(i) AS total, max(i) AS highest, min(i) AS lowest,
                           avg(i) AS mean, sum(x) AS x, max(x) AS most
                    FROM micro GROUP BY k)
              """),
          new Workload(
              "group by a string of 5", "SELECT s, count(*), sum(i), avg(x) FROM micro GROUP BY s"),
          new Workload(
              "filter, project, sum",
              "SELECT sum(x * 1.5 + i) FROM micro WHERE i > 500 AND x < 0.9"),
          new Workload(
              "hash join 20 M x 2 M",
              "SELECT count(*), sum(m.i), sum(d.v) FROM micro m JOIN build d ON m.b = d.id"),
          new Workload(
              "sort 10 M rows",
              // A sum of doubles depends on the order of its rows, so Spark keeps the sort beneath.
              "SELECT count(*), sum(x + i) FROM (SELECT x, i FROM sorted ORDER BY x, k)"));

  /** The queries of TPC-H, then the small ones. */
  static List<Workload> all() {
    List<Workload> all = new ArrayList<>();
    for (int number : TpchQueries.numbers()) {
      all.add(new Workload("tpch-" + number, TpchQueries.text(number)));
    }
    all.addAll(MICRO);
    return all;
  }

  Dataset<Row> frame(SparkSession spark) {
    return spark.sql(text);
  }
}
