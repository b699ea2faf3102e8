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

  /** Told by the parts, in steps: see {@link LedgerPart}. */
  private final AtomicLong steppedBytes = new AtomicLong();

  private final AtomicLong peakBytes = new AtomicLong();

  Ledger() {
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new LedgerPart(this::step);
    }
  }

  /** Where the blocks of an attempt are entered and taken out. */
  LedgerPart part(long taskAttemptId) {
    return parts[Math.floorMod(taskAttemptId * STRIDE, PARTS)];
  }

  /** The live block at an address, or null. */
  LedgeredBlock at(long address) {
    for (LedgerPart part : parts) {
      LedgeredBlock block = part.at(address);
      if (block != null) {
        return block;
      }
    }
    return null;
  }

  /** Live blocks; those of one attempt in the order in which they were taken. */
  List<LedgeredBlock> find(Predicate<LedgeredBlock> wanted) {
    List<LedgeredBlock> found = new ArrayList<>();
    for (LedgerPart part : parts) {
      part.find(wanted, found);
    }
    return found;
  }

  long usedBytes() {
    long bytes = 0;
    for (LedgerPart part : parts) {
      bytes += part.usedBytes();
    }
    return bytes;
  }

  /** Never below the highest sum of live blocks, and above it by no more than 64 KiB a task. */
  long peakBytes() {
    return peakBytes.get();
  }

  int blocks() {
    int blocks = 0;
    for (LedgerPart part : parts) {
      blocks += part.blocks();
    }
    return blocks;
  }

  private void step(long bytes) {
    long now = steppedBytes.addAndGet(bytes);
    if (now > peakBytes.get()) {
      peakBytes.accumulateAndGet(now, Math::max);
    }
  }
}
