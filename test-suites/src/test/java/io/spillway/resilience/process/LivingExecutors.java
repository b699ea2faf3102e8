package io.spillway.resilience.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Asks every executor of an application what is left in it. On the driver's thread. */
final class LivingExecutors {
  /** What a killed task may take to end and to give back what it held. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private LivingExecutors() {}

  /**
   * Waits until each living executor says that nothing is left, a minute at most.
   *
   * @return what each said last
   */
  static List<ExecutorState> settled(JavaSparkContext context, ClusterWatch watch) {
    Map<String, ExecutorState> states = new TreeMap<>();
    try {
      Awaitility.await("nothing is left in any executor")
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(100))
          .atMost(PATIENCE)
          .until(
              () -> {
                ExecutorState.ask(context).forEach(state -> states.put(state.executor(), state));
                states.keySet().retainAll(watch.living());
                return !states.isEmpty()
                    && states.keySet().containsAll(watch.living())
                    && states.values().stream().allMatch(ExecutorState::clean);
              });
    } catch (ConditionTimeoutException e) {
      // What is left is told, and fails the test.
      return List.copyOf(states.values());
    }
    return List.copyOf(states.values());
  }
}
