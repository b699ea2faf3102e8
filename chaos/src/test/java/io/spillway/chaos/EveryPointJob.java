package io.spillway.chaos;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The program of a JVM of its own: loads the classes named, then runs a query that goes through
 * tasks, memory and a shuffle.
 */
public final class EveryPointJob {
  private EveryPointJob() {}

  /** Prints {@code found CLASS} for each class that is there, Spark's version, and the sums. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] classes) throws Exception {
    for (String name : classes) {
      try {
        var unused = Class.forName(name, false, EveryPointJob.class.getClassLoader());
        System.out.println("found " + name);
      } catch (ClassNotFoundException | NoClassDefFoundError e) {
        // Not in this Spark, or of an engine that is not there.
        System.out.println("absent " + name);
      }
    }
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("every-point")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.memory.offHeap.enabled", "true")
            .config("spark.memory.offHeap.size", "32m")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()) {
      System.out.println("spark " + spark.version());
      List<Row> sums =
          spark
              .range(0, 1000, 1, 2)
              .selectExpr("id % 3 as k", "id as v")
              .groupBy("k")
              .sum("v")
              .orderBy("k")
              .collectAsList();
      sums.forEach(row -> System.out.println("sum " + row.getLong(1)));
    }
  }
}
