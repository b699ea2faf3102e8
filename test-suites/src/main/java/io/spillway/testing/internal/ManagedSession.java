package io.spillway.testing.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;

/** The Spark of a test class, and what its tests do with it. Test threads only, one at a time. */
final class ManagedSession implements AutoCloseable {
  // The names by which the chaos agent knows a job, whatever ids Spark gives to its stages.
  private static final String LABEL = "spillway.chaos.label";
  private static final String STAGE_BASE = "spillway.chaos.stageBase";
  private static final long BUS_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(60);
  private static final Duration TASKS_WAIT = Duration.ofSeconds(60);

  private final SessionSettings settings;
  private final SparkSession spark;
  private final JobWatch watch = new JobWatch();

  private ManagedSession(SessionSettings settings, SparkSession spark) {
    this.settings = settings;
    this.spark = spark;
    spark.sparkContext().addSparkListener(watch);
  }

  /** Starts Spark. The caller closes it. */
  static ManagedSession open(SessionSettings settings) {
    SparkEnv running = SparkEnv.get();
    if (running != null && !running.isStopped()) {
      throw new IllegalStateException(
          "a Spark that these tests did not start runs in this JVM ("
              + running.conf().get("spark.app.name", "without a name")
              + "): stop it, or take the SparkSession that is injected");
    }
    SparkSession.Builder builder = SparkSession.builder().master(settings.master());
    settings.conf().forEach(builder::config);
    return new ManagedSession(settings, builder.getOrCreate());
  }

  SessionSettings settings() {
    return settings;
  }

  SparkSession spark() {
    return spark;
  }

  boolean isStopped() {
    return spark.sparkContext().isStopped();
  }

  /** How many attempts Spark gives a task. */
  int maxAttempts() {
    return spark.sparkContext().taskScheduler() instanceof TaskSchedulerImpl scheduler
        ? scheduler.maxTaskFailures()
        : 1;
  }

  /** Names what this thread runs next for the agent, and forgets failures so far. */
  void mark(String label) {
    settle();
    SparkContext context = spark.sparkContext();
    context.setLocalProperty(LABEL, label);
    context.setLocalProperty(STAGE_BASE, Integer.toString(watch.nextStageId()));
  }

  /**
   * Waits until every task has ended and has been told of.
   *
   * @return how attempts failed since this was called last
   */
  List<String> settle() {
    drain();
    Awaitility.await("every task has ended")
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(TASKS_WAIT)
        .until(
            () -> {
              drain();
              return watch.running() == 0;
            });
    return watch.takeFailures();
  }

  private void drain() {
    try {
      spark.sparkContext().listenerBus().waitUntilEmpty(BUS_WAIT_MILLIS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Spark did not tell its listeners of everything within 60 s", e);
    }
  }

  @Override
  public void close() {
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}
