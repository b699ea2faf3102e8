package io.spillway.report;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * The job of the report's tests, for a JVM of its own: an aggregation over a shuffle, with its
 * partitioning pinned. The first argument is the master; the others are settings.
 */
public final class JobUnderChaos {
  private static final long ROWS = 200_000;
  private static final long GROUPS = 5_000;

  private JobUnderChaos() {}

  /** Runs the job and checks its answer; a failure of the job ends the JVM with code 3. */
  public static void main(String[] arguments) {
    SparkConf conf = new SparkConf().setMaster(arguments[0]).setAppName("job under chaos");
    settings(arguments).forEach(conf::set);
    int exit = 0;
    SparkSession spark = SparkSession.builder().config(conf).getOrCreate();
    try {
      spark.sparkContext().setLocalProperty("spillway.chaos.label", "job");
      long groups =
          spark
              .range(0, ROWS, 1, 4)
              .groupBy(functions.col("id").mod(GROUPS).as("k"))
              .agg(functions.sum("id"))
              .filter("k >= 0")
              .collectAsList()
              .size();
      if (groups != GROUPS) {
        throw new IllegalStateException(groups + " groups where " + GROUPS + " were expected");
      }
    } catch (RuntimeException e) {
      exit = 3;
    } finally {
      spark.stop();
    }
    System.exit(exit);
  }

  private static Map<String, String> settings(String[] arguments) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.driver.host", "127.0.0.1");
    settings.put("spark.driver.bindAddress", "127.0.0.1");
    settings.put("spark.default.parallelism", "4");
    settings.put("spark.sql.shuffle.partitions", "4");
    settings.put("spark.sql.adaptive.enabled", "false");
    settings.put("spark.task.maxFailures", "4");
    for (int i = 1; i < arguments.length; i++) {
      String[] pair = arguments[i].split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    return settings;
  }
}
