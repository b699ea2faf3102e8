package io.spillway.drill;

import io.spillway.plan.PlanFigures;
import io.spillway.plugin.ClusterMemory;
import io.spillway.plugin.ExecutorReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** What Spillway itself says in a driver's JVM. Not to be loaded in a pass of plain Spark. */
final class SpillwayFigures {
  // A ledger is sent when a task ends, and may be under way when the query's last row is here.
  private static final Duration LEDGER_WAIT = Duration.ofSeconds(2);

  private SpillwayFigures() {}

  /** Figures of the plan that ran when the frame was collected; the tasks' peak is not in it. */
  static PassOutcome.Plan plan(Dataset<?> frame) {
    PlanFigures figures = PlanFigures.of(frame.queryExecution().executedPlan());
    return new PassOutcome.Plan(
        figures.nativeOperators(),
        figures.jvmOperators(),
        figures.transitions(),
        figures.spilledBytes(),
        0);
  }

  /**
   * Native bytes that are live on all executors while no task runs. Waits up to two seconds for
   * ledgers that say zero.
   */
  static long bytesLeft() {
    try {
      Awaitility.await("ledgers of all executors at zero")
          .atMost(LEDGER_WAIT)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> usedBytes() == 0);
      return 0;
    } catch (ConditionTimeoutException e) {
      return usedBytes();
    }
  }

  /** The highest native memory of any task that ended since the last call. */
  static long takeTaskPeakBytes() {
    return ClusterMemory.latest().map(ClusterMemory::takeTaskPeakBytes).orElse(0L);
  }

  /** The last figures of every executor that ever sent any, by executor. */
  static List<PassOutcome.Ledger> ledgers() {
    List<PassOutcome.Ledger> ledgers = new ArrayList<>();
    for (ExecutorReport report : reports()) {
      ledgers.add(
          new PassOutcome.Ledger(
              report.executorId(),
              report.usedBytes(),
              report.peakBytes(),
              report.spilledBytes(),
              report.reclaimedBytes(),
              report.leakedBytes(),
              report.owners(),
              report.last()));
    }
    ledgers.sort(Comparator.comparing(PassOutcome.Ledger::executor));
    return ledgers;
  }

  private static long usedBytes() {
    return reports().stream().mapToLong(ExecutorReport::usedBytes).sum();
  }

  private static List<ExecutorReport> reports() {
    return ClusterMemory.latest().map(ClusterMemory::reports).orElse(List.of());
  }
}
