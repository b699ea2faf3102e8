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
  private static final long LARGE_POOL_BYTES = 256L << 20;
  private static final long LARGE_POOL_SLACK_BYTES = 64 * 1024;

  /** Odd: attempts that run side by side do not get parts that lie side by side in memory. */
  private static final long STRIDE = 5;

  private final LedgerPart[] parts = new LedgerPart[PARTS];

  /** Told by the parts: see {@link LedgerPart}. */
  private final AtomicLong toldBytes = new AtomicLong();

  private final AtomicLong peakBytes = new AtomicLong();

  /**
   * An empty ledger.
   *
   * @param poolBytes what can be in it at most; where that is little the peak is exact
   */
  Ledger(long poolBytes) {
    long slackBytes = poolBytes < LARGE_POOL_BYTES ? 0 : LARGE_POOL_SLACK_BYTES;
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new LedgerPart(this::told, slackBytes);
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

  /**
   * The highest sum of live blocks: exact in a pool below 256 MiB, else never more than that, and
   * less by no more than 64 KiB a task.
   */
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

  private void told(long bytes) {
    long now = toldBytes.addAndGet(bytes);
    if (now > peakBytes.get()) {
      peakBytes.accumulateAndGet(now, Math::max);
    }
  }
}
