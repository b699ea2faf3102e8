package io.spillway.resilience;

import io.spillway.report.Json;
import io.spillway.resilience.process.ProcessOutcome;
import java.io.IOException;
import java.util.Locale;

/**
 * One case with real processes, for the page of results.
 *
 * @param what was done to the executors
 * @param seconds from the start of the application to its end
 * @param queries that ran
 * @param right those with the right answer
 * @param failedCleanly those that failed as they should
 * @param tasksFailed attempts that failed
 * @param tasksKilled attempts that were killed
 * @param executorsLost executors that were killed or told to go
 * @param spilledBytes written to spill files by executors that told it
 * @param reclaimedBytes freed by the scopes of attempts that did not succeed
 * @param bytesLeft native bytes left in executors that live or ended in order
 */
record ProcessReport(
    String what,
    double seconds,
    int queries,
    int right,
    int failedCleanly,
    int tasksFailed,
    int tasksKilled,
    int executorsLost,
    long spilledBytes,
    long reclaimedBytes,
    long bytesLeft) {

  /** That of a case that went as it should. */
  static ProcessReport of(String what, ClusterProcess cluster, ProcessOutcome outcome) {
    return new ProcessReport(
        what,
        Math.round(cluster.seconds() * 10) / 10.0,
        outcome.runs().size(),
        (int) outcome.runs().stream().filter(ProcessOutcome.Run::right).count(),
        (int) outcome.runs().stream().filter(run -> !run.error().isEmpty()).count(),
        outcome.tasks().failed().size(),
        outcome.tasks().killed().size(),
        outcome.lostExecutors().size(),
        outcome.ledgers().stream().mapToLong(ProcessOutcome.Ledger::spilledBytes).sum(),
        outcome.ledgers().stream().mapToLong(ProcessOutcome.Ledger::reclaimedBytes).sum(),
        outcome.living().stream().mapToLong(state -> state.usedBytes()).sum());
  }

  void write() throws IOException {
    String name = what.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    Json.write(ProofFolder.path().resolve("process-" + name + ".json"), this);
  }
}
