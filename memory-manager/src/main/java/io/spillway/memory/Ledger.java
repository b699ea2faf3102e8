package io.spillway.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Every live native block of an executor, with its owner. Tasks do not wait for each other: each
 * has a part, which it shares only with attempts whose ids are a multiple of {@value #PARTS} apart.
 * Thread-safe.
 */
final class Ledger {
  private static final int PARTS = 16;

  /** Odd: attempts that run side by side do not get parts that lie side by side in memory. */
  private static final long STRIDE = 5;

  private final LedgerPart[] parts = new LedgerPart[PARTS];

  /** What the parts have told, which is what is used or a little less: see {@link LedgerPart}. */
  private final AtomicLong toldBytes = new AtomicLong();

  private final AtomicLong toldPeakBytes = new AtomicLong();

  Ledger() {
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new LedgerPart(this::told);
    }
  }

  /** Where the blocks of an attempt are entered and taken out. */
  LedgerPart part(long taskAttemptId) {
    return parts[Math.floorMod(taskAttemptId * STRIDE, PARTS)];
  }

  /** Live blocks; those of one attempt in the order in which they were taken. */
  List<LedgeredBlock> find(Predicate<LedgeredBlock> wanted) {
    List<LedgeredBlock> found = new ArrayList<>();
    for (LedgerPart part : parts) {
      part.find(wanted, found);
    }
    return found;
  }

  /** Of one moment: a block that one task frees and another takes meanwhile counts once. */
  long usedBytes() {
    return usedFrom(0);
  }

  /** Holds all parts' locks on the way, in one order; no part asks for another's. */
  private long usedFrom(int part) {
    if (part == PARTS) {
      return 0;
    }
    synchronized (parts[part]) {
      return parts[part].usedBytes() + usedFrom(part + 1);
    }
  }

  /**
   * The highest sum of live blocks. Exact as long as one task held blocks at a time; else it may be
   * below by 128 KiB for each of them, and is never above.
   */
  long peakBytes() {
    long most = Math.max(toldPeakBytes.get(), usedBytes());
    for (LedgerPart part : parts) {
      most = Math.max(most, part.peakBytes());
    }
    toldPeakBytes.accumulateAndGet(most, Math::max);
    return most;
  }

  int blocks() {
    int blocks = 0;
    for (LedgerPart part : parts) {
      blocks += part.blocks();
    }
    return blocks;
  }

  private void told(long bytes) {
    long now = toldBytes.addAndGet(bytes);
    if (now > toldPeakBytes.get()) {
      toldPeakBytes.accumulateAndGet(now, Math::max);
    }
  }
}
