package io.spillway.memory;

import java.util.List;
import java.util.Optional;

/**
 * What the scope of one task attempt found when it was closed.
 *
 * @param taskAttemptId Spark's id of the attempt
 * @param reclaimedBytes still live when the attempt had failed, and freed by the scope
 * @param leakedBytes still live although the attempt had succeeded, and freed by the scope
 * @param quarantinedBytes still live and in use by a thread that had not ended; freed after it
 * @param owners of those blocks
 * @param spilledBytes written to disk by the attempt, before compression
 * @param peakBytes highest use of native memory of the attempt
 * @param failure the native operator in which the attempt failed; empty if it did not, or elsewhere
 */
public record TaskReport(
    long taskAttemptId,
    long reclaimedBytes,
    long leakedBytes,
    long quarantinedBytes,
    List<BlockOwner> owners,
    long spilledBytes,
    long peakBytes,
    Optional<OperatorFailure> failure) {
  /** Keeps an immutable copy of the owners. */
  public TaskReport {
    owners = List.copyOf(owners);
  }
}
