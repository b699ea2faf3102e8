package io.spillway.testing.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.pollinterval.FibonacciPollInterval;

/**
 * Whether a run leaves this JVM's executor as it found it. What was left before the run began is
 * not held against it, so that one leak fails one test. One thread.
 */
public final class ExecutorCheck {
  /** How many seconds tasks that have ended may take to give back what they held. */
  private static final String PATIENCE = "spillway.testing.patienceSeconds";

  private static final int USUAL_PATIENCE_SECONDS = 20;

  private final List<Leftovers> kinds;
  private final Set<String> before;

  private ExecutorCheck(List<Leftovers> kinds) {
    this.kinds = kinds;
    this.before = all(kinds);
  }

  /**
   * Notes what is there before a run.
   *
   * @param allowedThreads beginnings of the names of threads that the run may leave
   */
  public static ExecutorCheck start(List<String> allowedThreads) {
    return new ExecutorCheck(
        List.of(
            new LedgerLeftovers(),
            new SparkLeftovers(),
            new FileLeftovers(),
            new DescriptorLeftovers(),
            new ThreadLeftovers(allowedThreads)));
  }

  /** Memory and temporary files of tasks that are there now, whoever made them. */
  public static List<String> heldNow() {
    return new ArrayList<>(
        all(List.of(new LedgerLeftovers(), new SparkLeftovers(), new FileLeftovers())));
  }

  /**
   * Waits until nothing is left, 20 seconds at most if the property does not say otherwise.
   *
   * @return what is left then; empty: nothing
   */
  public List<String> await() {
    try {
      Awaitility.await("the executor is as it was")
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(FibonacciPollInterval.fibonacci(TimeUnit.MILLISECONDS))
          .atMost(Duration.ofSeconds(Integer.getInteger(PATIENCE, USUAL_PATIENCE_SECONDS)))
          .until(() -> !isSparkRunning() || left().isEmpty());
      // Without Spark there is something left, and nothing to wait for.
      return isSparkRunning() ? List.of() : left();
    } catch (ConditionTimeoutException e) {
      return left();
    }
  }

  private List<String> left() {
    if (!isSparkRunning()) {
      return List.of("nothing that could be looked at, as no Spark runs in this JVM at the end");
    }
    Set<String> left = all(kinds);
    left.removeAll(before);
    return new ArrayList<>(left);
  }

  private static boolean isSparkRunning() {
    SparkEnv env = SparkEnv.get();
    return env != null && !env.isStopped();
  }

  private static Set<String> all(List<Leftovers> kinds) {
    Set<String> all = new TreeSet<>();
    kinds.forEach(kind -> all.addAll(kind.now()));
    return all;
  }
}
