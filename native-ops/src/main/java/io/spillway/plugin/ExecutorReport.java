package io.spillway.plugin;

import io.spillway.memory.guard.GuardStatus;
import java.util.List;

/**
 * An executor's native memory as it last told the driver.
 *
 * @param executorId Spark's id of the executor
 * @param usedBytes in live blocks
 * @param peakBytes highest {@code usedBytes} so far
 * @param taskPeakBytes highest memory of the task attempt whose end is reported; 0 if none is
 * @param spilledBytes written to spill files so far
 * @param reclaimedBytes freed by the scopes of failed attempts so far; expected
 * @param leakedBytes found live after attempts that succeeded so far; a defect
 * @param owners of the live and the leaked blocks
 * @param guard the process and its container at the container guard's last look
 * @param last whether it was sent when the executor shut down
 */
public record ExecutorReport(
    String executorId,
    long usedBytes,
    long peakBytes,
    long taskPeakBytes,
    long spilledBytes,
    long reclaimedBytes,
    long leakedBytes,
    List<String> owners,
    GuardStatus guard,
    boolean last) {
  /** Keeps an immutable copy of the owners. */
  public ExecutorReport {
    owners = List.copyOf(owners);
  }
}
