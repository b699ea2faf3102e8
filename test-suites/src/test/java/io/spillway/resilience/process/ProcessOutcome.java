package io.spillway.resilience.process;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the job's driver has seen, for the test that started it.
 *
 * @param runs of its queries, in order
 * @param living executors at its end, before Spark was stopped
 * @param ledgers the last that executors told the driver, also those that were gone by then
 * @param tasks what became of task attempts
 * @param lost executors that Spark removed before it was stopped
 * @param notes what the job did itself, in words
 */
public record ProcessOutcome(
    List<Run> runs,
    List<ExecutorState> living,
    List<Ledger> ledgers,
    Tasks tasks,
    List<Lost> lost,
    List<String> notes) {

  /**
   * One run of a query.
   *
   * @param label by which the agent's plan knows it
   * @param wrong what was wrong with the answer; empty if it was right or there was none
   * @param error classes and messages of the failure, the last cause last; empty if there was none
   */
  public record Run(String label, String wrong, List<String> error, long millis) {
    /** Whether the answer is there and right. */
    public boolean right() {
      return wrong.isEmpty() && error.isEmpty();
    }
  }

  /** An executor's last figures, as the driver got them. */
  public record Ledger(
      String executor,
      long usedBytes,
      long leakedBytes,
      long reclaimedBytes,
      long spilledBytes,
      List<String> owners,
      boolean last) {}

  /**
   * Task attempts.
   *
   * @param killed why, one for each
   * @param failed why, one for each
   * @param stageRetries stages that were submitted again
   * @param speculativeWins speculative attempts that succeeded
   */
  public record Tasks(
      List<String> killed, List<String> failed, int stageRetries, int speculativeWins) {}

  /**
   * An executor that Spark removed.
   *
   * @param reason as Spark gives it
   * @param label of the run whose job was begun last
   */
  public record Lost(String executor, String reason, String label) {}

  /** The ids of the executors that Spark removed; it may say more than once why. */
  public Set<String> lostExecutors() {
    return lost.stream().map(Lost::executor).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The only run with a label. */
  public Run run(String label) {
    List<Run> found = runs.stream().filter(run -> run.label().equals(label)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(found.size() + " runs with the label " + label);
    }
    return found.get(0);
  }
}
