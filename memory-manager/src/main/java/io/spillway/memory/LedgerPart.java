package io.spillway.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * The live blocks of one task attempt, or of a few. Its lock is a leaf: nothing is called while it
 * is held but the sum below, which has none.
 *
 * <p>The executor's sum is told when it has grown by more than the slack, and at once when it has
 * shrunk below what was told, then with half the slack to spare: so a block that comes and goes
 * does not touch what all threads share, and what is told is never more than what is used.
 */
final class LedgerPart {
  private final Map<Long, LedgeredBlock> live = new LinkedHashMap<>();
  private final LongConsumer sum;
  private final long slackBytes;

  /** Written under the lock; an empty part is passed over without it. */
  private final AtomicInteger blocks = new AtomicInteger();

  private long usedBytes;
  private long toldBytes;

  /**
   * An empty part.
   *
   * @param sum told by how many bytes the part has grown or, if negative, shrunk
   * @param slackBytes how much less than what is used may have been told; 0 tells all
   */
  LedgerPart(LongConsumer sum, long slackBytes) {
    this.sum = sum;
    this.slackBytes = slackBytes;
  }

  synchronized void add(LedgeredBlock block) {
    live.put(block.address(), block);
    blocks.setOpaque(live.size());
    usedBytes += block.bytes();
    if (usedBytes - toldBytes > slackBytes) {
      tell(usedBytes);
    }
  }

  /** Once per block, by whoever claimed it, after its memory was given back. */
  synchronized void remove(LedgeredBlock block) {
    takeOut(block);
    tellLess();
  }

  /** The same for many blocks. */
  synchronized void removeAll(List<LedgeredBlock> claimed) {
    claimed.forEach(this::takeOut);
    tellLess();
  }

  /** The live block at an address, or null. Sees at least what this thread has done. */
  LedgeredBlock at(long address) {
    if (blocks.getOpaque() == 0) {
      return null;
    }
    synchronized (this) {
      return live.get(address);
    }
  }

  /** Adds the wanted blocks to {@code found}, in the order in which they were added here. */
  synchronized void find(Predicate<LedgeredBlock> wanted, List<LedgeredBlock> found) {
    for (LedgeredBlock block : live.values()) {
      if (wanted.test(block)) {
        found.add(block);
      }
    }
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  synchronized int blocks() {
    return live.size();
  }

  private void takeOut(LedgeredBlock block) {
    // The operating system may have handed the same address out again meanwhile: that entry stays.
    live.remove(block.address(), block);
    blocks.setOpaque(live.size());
    usedBytes -= block.bytes();
  }

  private void tellLess() {
    if (usedBytes < toldBytes) {
      tell(Math.max(0, usedBytes - slackBytes / 2));
    }
  }

  private void tell(long bytes) {
    sum.accept(bytes - toldBytes);
    toldBytes = bytes;
  }
}
