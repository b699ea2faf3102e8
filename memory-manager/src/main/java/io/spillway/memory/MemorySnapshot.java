package io.spillway.memory;

import io.spillway.memory.guard.GuardStatus;
import java.util.List;

/**
 * The figures of one executor's native memory at one moment.
 *
 * @param usedBytes in live blocks
 * @param blocks live blocks
 * @param peakBytes highest {@code usedBytes} so far
 * @param reservedBytes reserved with Spark by open tasks, idle quanta included
 * @param spilledBytes written to disk so far, before compression
 * @param reclaimedBytes freed by scopes of failed attempts so far; expected
 * @param leakedBytes found live after attempts that succeeded, so far; a defect, never forgotten
 * @param quarantinedBytes part of {@code usedBytes} that belongs to attempts that have ended, and
 *     is still in use by a thread of theirs
 * @param sharedBytes part of {@code usedBytes} that tasks share; it may stay when none runs
 * @param openTasks task scopes that are not closed
 * @param owners of live or leaked blocks, such as {@code task 12 / HashAggregate(partial) 4096
 *     bytes in 1 block}
 * @param guard the process and its container at the container guard's last look
 */
public record MemorySnapshot(
    long usedBytes,
    long blocks,
    long peakBytes,
    long reservedBytes,
    long spilledBytes,
    long reclaimedBytes,
    long leakedBytes,
    long quarantinedBytes,
    long sharedBytes,
    int openTasks,
    List<String> owners,
    GuardStatus guard) {
  /** Keeps an immutable copy of the owners. */
  public MemorySnapshot {
    owners = List.copyOf(owners);
  }
}
