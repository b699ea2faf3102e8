package io.spillway.chaos;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The program of a JVM of its own: a query on Spillway. Takes its settings from properties. */
public final class PluginJob {
  private PluginJob() {}

  /** Prints the sums, and whether a native operator was planned. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) {
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      var query =
          spark
              .range(0, 1000, 1, 2)
              .selectExpr("id % 3 as k", "id as v")
              .groupBy("k")
              .sum("v")
              .orderBy("k");
      List<Row> sums = query.collectAsList();
      sums.forEach(row -> System.out.println("sum " + row.getLong(1)));
      System.out.println(
          "native " + query.queryExecution().executedPlan().toString().contains("Spillway"));
    }
  }
}
