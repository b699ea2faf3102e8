package io.spillway.testing.internal;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * Ends a run that takes too long: says where it is, cancels its jobs and interrupts its tasks and
 * the test's thread, again and again until it has ended.
 */
final class TimeLimit {
  /** Seconds that a run may take; 0: any time. */
  static final String PROPERTY = "spillway.testing.timeoutSeconds";

  private static final long USUAL_SECONDS = 300;
  private static final long AGAIN_SECONDS = 10;

  /** One thread, so that what is handed to it runs after what it is doing. */
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "spillway-testing-time-limit");
            thread.setDaemon(true);
            return thread;
          });

  private final Thread test = Thread.currentThread();
  private final SparkContext context;
  private final long seconds;
  private volatile String where;

  private TimeLimit(SparkContext context, long seconds) {
    this.context = context;
    this.seconds = seconds;
  }

  /**
   * Runs something on this thread.
   *
   * @param run returns what it threw, or null
   * @return what it returned; a {@link HungRunException} if it had to be ended
   */
  static Throwable watch(SparkContext context, Supplier<Throwable> run) {
    long seconds = seconds();
    if (seconds == 0) {
      return run.get();
    }
    TimeLimit limit = new TimeLimit(context, seconds);
    Future<?> timer =
        TIMER.scheduleWithFixedDelay(limit::end, seconds, AGAIN_SECONDS, TimeUnit.SECONDS);
    Throwable failure;
    try {
      failure = run.get();
    } finally {
      timer.cancel(false);
      awaitTimer();
    }
    if (limit.where == null) {
      return failure;
    }
    return new HungRunException(limit.message());
  }

  private static long seconds() {
    String value = System.getProperty(PROPERTY, Long.toString(USUAL_SECONDS));
    try {
      long seconds = Long.parseLong(value.strip());
      if (seconds >= 0) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // Said below, as a negative number is.
    }
    throw new ExtensionConfigurationException(
        "-D%s is '%s': it must be a whole number of seconds, 0 for any time"
            .formatted(PROPERTY, value));
  }

  /** What the timer has begun must not come to the next run. */
  private static void awaitTimer() {
    Future<?> barrier = TIMER.submit(() -> {});
    boolean interrupted = false;
    while (!barrier.isDone()) {
      try {
        barrier.get();
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        throw new IllegalStateException("the timer failed", e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("SystemOut")
  private void end() {
    if (where == null) {
      where = RunningStacks.of(test);
      // On the console at once: a run that does not even heed an interrupt is never reported.
      System.err.println("[spillway-testing] " + message());
    }
    context.cancelAllJobs();
    RunningStacks.interruptTasks();
    test.interrupt();
  }

  private String message() {
    return "it had not ended after %d s and was ended (-D%s=SECONDS gives it more, 0 any time); it was at%n%s"
        .formatted(seconds, PROPERTY, where);
  }
}
