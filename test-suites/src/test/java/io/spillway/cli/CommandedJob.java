package io.spillway.cli;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * The program of a JVM of its own: a Spark job that knows nothing of the agent. Runs one query for
 * each line on its standard input, and others all the while on a second thread.
 */
public final class CommandedJob {
  private static final int PARTITIONS = 4;

  private CommandedJob() {}

  /** Answers {@code ready}, then each line with the sum and the number of failed tasks. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("commanded")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", PARTITIONS)
            .getOrCreate();
    AtomicLong failedTasks = new AtomicLong();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                failedTasks.addAndGet(end.taskInfo().failed() ? 1 : 0);
              }
            });
    Thread others = new Thread(() -> runOthers(spark), "others");
    others.setDaemon(true);
    others.start();
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      failedTasks.set(0);
      long sum = sum(spark, "asked");
      spark.sparkContext().listenerBus().waitUntilEmpty();
      System.out.println("sum " + sum + ", failed tasks " + failedTasks.get());
    }
    System.exit(0);
  }

  @SuppressWarnings("SystemOut")
  private static void runOthers(SparkSession spark) {
    for (int i = 0; true; i++) {
      long sum = sum(spark, "others");
      if (sum != 499_500 || i == 0) {
        System.out.println("others " + sum);
      }
    }
  }

  private static long sum(SparkSession spark, String label) {
    spark.sparkContext().setLocalProperty("spillway.chaos.label", label);
    return spark
        .range(0, 1000, 1, PARTITIONS)
        .repartition(PARTITIONS)
        .groupBy()
        .sum("id")
        .head()
        .getLong(0);
  }
}
