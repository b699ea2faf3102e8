package io.spillway.testing.internal;

import io.spillway.chaos.JobProperties;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The Spark of a test class, and what its tests do with it. Test threads only, one at a time. */
final class ManagedSession implements AutoCloseable {
  private static final long BUS_WAIT_MILLIS = 1000;
  private static final int BUS_ATTEMPTS = 60;
  private static final Duration TASKS_WAIT = Duration.ofSeconds(60);

  private final SessionSettings settings;
  private final SparkSession spark;
  private final JobWatch watch = new JobWatch();
  private SessionConf conf;

  private ManagedSession(SessionSettings settings, SparkSession spark) {
    this.settings = settings;
    this.spark = spark;
    spark.sparkContext().addSparkListener(watch);
  }

  /** Starts Spark. The caller closes it. */
  static ManagedSession open(SessionSettings settings) {
    checkModules();
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

  /** Spark itself only says which of the JDK's classes it could not come to. */
  private static void checkModules() {
    if (!Object.class.getModule().isExported("sun.nio.ch", ManagedSession.class.getModule())) {
      throw new IllegalStateException(
          "this JVM was started without what Spark needs on JDK 17 and later: put these options into"
              + " the argLine of Surefire: "
              + JavaModuleOptions.defaultModuleOptions().strip());
    }
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

  /** Takes the session's settings for those with which each run begins from now on. */
  void keepConf() {
    conf = SessionConf.of(spark);
  }

  /** Takes back what a run has set. */
  void restoreConf() {
    if (conf != null && !isStopped()) {
      conf.restore();
    }
  }

  /**
   * Names what this thread runs next for the agent, forgets failures so far and takes back settings
   * of the run before.
   */
  void mark(String label) {
    settle();
    restoreConf();
    SparkContext context = spark.sparkContext();
    context.setLocalProperty(JobProperties.LABEL, label);
    context.setLocalProperty(JobProperties.STAGE_BASE, Integer.toString(watch.nextStageId()));
  }

  /**
   * Waits until every task has ended and has been told of.
   *
   * @return how attempts failed since this was called last
   * @throws HungRunException if a task does not end although its job has
   */
  List<String> settle() {
    try {
      Awaitility.await("every task has ended")
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .atMost(TASKS_WAIT)
          .until(
              () -> {
                drain();
                return watch.running() == 0 || isStopped();
              });
    } catch (ConditionTimeoutException e) {
      throw new HungRunException(
          "%d tasks still run %d s after their job has ended%n%s"
              .formatted(
                  watch.running(),
                  TASKS_WAIT.toSeconds(),
                  RunningStacks.of(Thread.currentThread())),
          e);
    }
    return watch.takeFailures();
  }

  /** Waits until the watch has been told of everything that has happened so far. */
  private void drain() {
    for (int attempt = 0; attempt < BUS_ATTEMPTS; attempt++) {
      if (isStopped()) {
        return;
      }
      // Each time anew: a full bus drops events.
      BusMark mark = new BusMark();
      spark.sparkContext().listenerBus().post(mark);
      try {
        if (mark.await(BUS_WAIT_MILLIS)) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(
            "the test's thread was interrupted while it waited for Spark's listeners", e);
      }
    }
    throw new IllegalStateException("Spark did not tell its listeners of everything within 60 s");
  }

  @Override
  public void close() {
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}
