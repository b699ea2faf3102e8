package io.spillway.resilience.process;

import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkContext;

/**
 * Cancels the job group of one query after the other, each at a random moment, with and without an
 * interrupt, while another query runs again and again beside it in the same executors. The labels
 * of the runs are {@code cancelled-N} and {@code beside-N}.
 */
final class CancelledGroups {
  private static final long LONGEST_QUERY_MINUTES = 3;

  /** Task attempts that a cancelled group ended, with no more queries than so many. */
  private static final int FEWEST = 3;

  private static final int MOST = 40;

  private final ProcessRuns runs;
  private final SparkContext context;
  private final Random random;

  CancelledGroups(ProcessRuns runs, long seed) {
    this.runs = runs;
    this.context = runs.spark().sparkContext();
    this.random = new Random(seed);
  }

  /** Goes on for so long, and until some task attempts were at work when they were cancelled. */
  void run(long nanos) throws Exception {
    long queryMillis = runs.run("measured", GroupTotals.LARGE).millis();
    long endNanos = System.nanoTime() + nanos;
    ClusterWatch watch = new ClusterWatch();
    context.addSparkListener(watch);
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> beside = threads.submit(() -> runBeside(over));
      for (int n = 0;
          System.nanoTime() < endNanos || (watch.tasks().killed().size() < FEWEST && n < MOST);
          n++) {
        // Two queries at once take about twice as long as one.
        cancel(n, random.nextInt((int) Math.max(1, queryMillis * 2)), threads, timer);
      }
      over.set(true);
      beside.get(LONGEST_QUERY_MINUTES, TimeUnit.MINUTES);
    } finally {
      over.set(true);
      context.removeSparkListener(watch);
      timer.shutdownNow();
      threads.shutdownNow();
    }
  }

  private void cancel(
      int n, int afterMillis, ExecutorService threads, ScheduledExecutorService timer)
      throws Exception {
    String label = "cancelled-" + n;
    boolean interrupt = random.nextBoolean();
    runs.note(label + " after " + afterMillis + " ms" + (interrupt ? ", interrupting" : ""));
    Future<ProcessOutcome.Run> victim =
        threads.submit(
            () -> {
              context.setJobGroup(label, label, interrupt);
              return runs.run(label, GroupTotals.LARGE);
            });
    var unused =
        timer.schedule(() -> context.cancelJobGroup(label), afterMillis, TimeUnit.MILLISECONDS);
    victim.get(LONGEST_QUERY_MINUTES, TimeUnit.MINUTES);
  }

  private void runBeside(AtomicBoolean over) {
    context.setJobGroup("beside", "beside", false);
    for (int n = 0; !over.get(); n++) {
      runs.run("beside-" + n, GroupTotals.LARGE);
    }
  }
}
