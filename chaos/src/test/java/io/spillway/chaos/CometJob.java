package io.spillway.chaos;

import java.util.List;
import java.util.Map;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The program of a JVM of its own that runs Comet. Knows nothing of the agent. */
public final class CometJob {
  private CometJob() {}

  /**
   * Runs an aggregation and a sort over a Parquet file, with and without Comet; prints how Comet's
   * plan begins, how tasks failed, and whether the results are the same.
   *
   * @param arguments where the file is to be
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("chaos-test")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.memory.offHeap.enabled", "true")
            .config("spark.memory.offHeap.size", "512m")
            .config("spark.plugins", "org.apache.spark.CometPlugin")
            .config(
                "spark.shuffle.manager",
                "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager")
            .config("spark.comet.enabled", "false")
            .config("spark.comet.exec.enabled", "true")
            .config("spark.comet.exec.shuffle.enabled", "true")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
            .getOrCreate()) {
      spark
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd end) {
                  if (end.reason() instanceof TaskFailedReason reason) {
                    System.out.println(
                        "failed: " + reason.toErrorString().lines().findFirst().orElse(""));
                  }
                }
              });
      spark
          .range(0, 200_000, 1, 4)
          .selectExpr("id", "id % 20000 as k", "cast(id as string) as s")
          .write()
          .parquet(arguments[0]);
      List<Row> expected = query(spark, arguments[0]).collectAsList();
      spark.conf().set("spark.comet.enabled", "true");
      Dataset<Row> query = query(spark, arguments[0]);
      List<Row> rows = query.collectAsList();
      long operators =
          query
              .queryExecution()
              .executedPlan()
              .toString()
              .lines()
              .filter(line -> line.contains("Comet"))
              .count();
      System.out.println("comet operators " + operators);
      System.out.println(rows.equals(expected) ? "right" : "wrong");
      spark.sparkContext().listenerBus().waitUntilEmpty();
    }
  }

  private static Dataset<Row> query(SparkSession spark, String file) {
    return spark
        .read()
        .parquet(file)
        .groupBy("k")
        .agg(Map.of("id", "sum", "s", "max"))
        .orderBy("k");
  }
}
