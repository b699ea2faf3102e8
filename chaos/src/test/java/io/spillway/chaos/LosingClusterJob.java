package io.spillway.chaos;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.SparkSession;

/** The driver of a cluster of two real executors. Knows nothing of the agent. */
public final class LosingClusterJob {
  private static final int GROUPS = 2_000;
  private static final int ROWS = 40_000;

  private LosingClusterJob() {}

  /**
   * Runs a query with one shuffle; prints whether its result is right and each executor lost.
   *
   * @param arguments the executors' additional JVM options
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    SparkConf conf =
        new SparkConf()
            .setMaster("local-cluster[2,1,512]")
            .setAppName("chaos-test")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.memory", "512m")
            .set("spark.executor.extraJavaOptions", arguments[0])
            .set("spark.sql.shuffle.partitions", "4")
            .set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    try (SparkSession spark = SparkSession.builder().config(conf).getOrCreate()) {
      spark
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
                  System.out.println("lost " + removed.executorId() + ": " + removed.reason());
                }
              });
      long[] sums =
          spark
              .range(0, ROWS, 1, 4)
              .selectExpr("id % " + GROUPS + " as k", "id as v")
              .groupBy("k")
              .sum("v")
              .orderBy("k")
              .collectAsList()
              .stream()
              .mapToLong(row -> row.getLong(1))
              .toArray();
      long[] expected = new long[GROUPS];
      LongStream.range(0, ROWS).forEach(id -> expected[(int) (id % GROUPS)] += id);
      System.out.println(Arrays.equals(sums, expected) ? "right" : "wrong");
      spark.sparkContext().listenerBus().waitUntilEmpty();
    }
  }
}
