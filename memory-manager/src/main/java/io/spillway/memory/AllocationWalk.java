package io.spillway.memory;

import java.util.List;

/**
 * The way of one block, there and back: Spark's reservation, the page source, the ledger. A failure
 * after any step leaves all three as they were.
 */
final class AllocationWalk {
  private final OperatorMemory operator;
  private final TaskMemory task;
  private final Reservation reservation;
  private final LedgerPart ledger;
  private volatile boolean refusedBySystem;

  AllocationWalk(OperatorMemory operator, TaskMemory task, Reservation reservation) {
    this.operator = operator;
    this.task = task;
    this.reservation = reservation;
    this.ledger = task.executor().ledger().part(task.taskAttemptId());
  }

  /**
   * Reserves, takes and ledgers a block.
   *
   * @param bytes rounded as the page source does
   * @return the block, or null, with all figures as before, if Spark or the system refuses
   */
  LedgeredBlock take(long bytes) {
    if (refusedBySystem) {
      refusedBySystem = false;
    }
    long granted = reservation.take(bytes);
    if (granted == Reservation.REFUSED) {
      return null;
    }
    PageSource pages = task.executor().pages();
    LedgeredBlock block = null;
    long address = 0;
    try {
      try {
        address = pages.allocate(bytes);
      } catch (OutOfMemoryError refusedByTheSystem) {
        // Ends here: Spark would kill the executor for it, even for one that is only a cause.
        refusedBySystem = true;
        return null;
      }
      Throwable site = task.executor().settings().allocationSites() ? new AllocationSite() : null;
      LedgeredBlock made = new LedgeredBlock(operator, address, bytes, site);
      ledger.add(made);
      task.figures().grew(bytes);
      block = made;
    } finally {
      if (block == null) {
        if (address != 0) {
          pages.free(address, bytes);
        }
        reservation.undo(bytes, granted);
      }
    }
    return block;
  }

  /** Whether the last refusal was the operating system's and not Spark's. */
  boolean refusedBySystem() {
    return refusedBySystem;
  }

  /** Gives one block back, unless somebody was quicker: pages, ledger, reservation. */
  void free(LedgeredBlock block) {
    if (block.claim()) {
      task.executor().pages().free(block.address(), block.bytes());
      ledger.remove(block);
      task.figures().shrank(block.bytes());
      reservation.release(block.bytes());
    }
  }

  /**
   * Gives many blocks back at once, without those that somebody was quicker with: what lies side by
   * side goes in one call to the system. All of this walk's operator.
   */
  void freeAll(List<LedgeredBlock> blocks) {
    List<LedgeredBlock> claimed = blocks.stream().filter(LedgeredBlock::claim).toList();
    long bytes = claimed.stream().mapToLong(LedgeredBlock::bytes).sum();
    try {
      task.executor().pages().freeAll(claimed);
    } finally {
      ledger.removeAll(claimed);
      task.figures().shrank(bytes);
      reservation.release(bytes);
    }
  }

  /** Remembers where a block was allocated. */
  private static final class AllocationSite extends Throwable {
    private static final long serialVersionUID = 1L;

    AllocationSite() {
      super("allocated here");
    }
  }
}
