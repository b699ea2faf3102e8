package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import java.util.List;
import java.util.function.Consumer;

/**
 * The end of one task attempt's scope: operators are closed in reverse order, then what is left in
 * the ledger is freed. One failing close does not keep the rest. While a thread still uses the
 * memory nothing of it is freed: it stays in quarantine until that thread is done.
 */
final class ScopeEnd {
  private final TaskMemory task;
  private final boolean succeeded;
  private final List<OperatorMemory> operators;
  private final Closing closing = new Closing();

  /** What is found now is a defect of the operator that left it. */
  private boolean leaks;

  /**
   * An end that was not run yet.
   *
   * @param task whose scope ends
   * @param succeeded tells leaked from reclaimed, unless a helper thread kept operators from
   *     closing
   * @param operators that are open, in the order in which they were opened
   */
  ScopeEnd(TaskMemory task, boolean succeeded, List<OperatorMemory> operators) {
    this.task = task;
    this.succeeded = succeeded;
    this.operators = operators;
  }

  /** Frees, or puts into quarantine; what single steps throw is kept for {@link #finish}. */
  TaskReport run() {
    boolean alone = task.awaitHelpers();
    // An operator that has waited for a helper in vain had to leave its memory to this end.
    leaks = succeeded && !task.helpers().outlasted();
    List<BlockOwner> found = BlockOwner.of(task.ledgered());
    if (alone) {
      inReverse(OperatorMemory::close);
      sweep(task, closing);
      task.closeLeases(closing);
      return report(found, leaks ? 0 : bytes(found), leaks ? bytes(found) : 0, 0);
    }
    inReverse(OperatorMemory::closeAllButBlocks);
    Quarantine quarantine = new Quarantine(task, found, operators);
    closing.run(quarantine::begin);
    if (!task.helpers().afterTheLast(quarantine::end)) {
      closing.run(quarantine::end);
    }
    return report(found, 0, 0, bytes(found));
  }

  /** Tells what was found, once the figures say so, and throws what a step threw. */
  void finish(TaskReport report) {
    if (report.quarantinedBytes() == 0) {
      for (BlockOwner owner : report.owners()) {
        task.emit(leaks ? leaked(owner) : reclaimed(owner));
      }
    }
    closing.rethrow();
  }

  private void inReverse(Consumer<OperatorMemory> close) {
    for (int i = operators.size() - 1; i >= 0; i--) {
      OperatorMemory operator = operators.get(i);
      closing.run(() -> close.accept(operator));
    }
  }

  /** Frees what Arrow's own code allocated under operators that are gone, and Arrow's root. */
  static void sweep(TaskMemory task, Closing closing) {
    for (LedgeredBlock block : task.ledgered()) {
      closing.run(() -> block.owner().free(block));
    }
    if (task.arrowRoot().getAllocatedMemory() == 0
        && task.arrowRoot().getChildAllocators().isEmpty()) {
      closing.run(task.arrowRoot()::close);
    }
  }

  private TaskReport report(
      List<BlockOwner> found, long reclaimedBytes, long leakedBytes, long quarantinedBytes) {
    return new TaskReport(
        task.taskAttemptId(),
        reclaimedBytes,
        leakedBytes,
        quarantinedBytes,
        found,
        task.spilledBytes(),
        task.peakBytes(),
        task.failure());
  }

  private static long bytes(List<BlockOwner> owners) {
    return owners.stream().mapToLong(BlockOwner::bytes).sum();
  }

  private static MemoryEvent leaked(BlockOwner owner) {
    return new MemoryEvent.Leaked(
        owner.taskAttemptId(), owner.operator(), owner.bytes(), owner.blocks(), owner.site());
  }

  private static MemoryEvent reclaimed(BlockOwner owner) {
    return new MemoryEvent.Reclaimed(
        owner.taskAttemptId(), owner.operator(), owner.bytes(), owner.blocks());
  }
}
