package io.spillway.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * The live blocks of one task attempt, or of a few. Its lock is a leaf: nothing is called while it
 * is held but the sum below, which has none.
 *
 * <p>The executor's sum is told late: an increase when it is two steps of 64 KiB, a decrease at
 * once and by a step too much. So what was told is never more than what is used, and blocks that
 * come and go do not touch what all threads share.
 */
final class LedgerPart {
  private static final long STEP_BYTES = 64 * 1024;

  private final Map<Long, LedgeredBlock> live = new LinkedHashMap<>();
  private final LongConsumer sum;

  private long usedBytes;
  private long peakBytes;
  private long toldBytes;

  /**
   * An empty part.
   *
   * @param sum told by how many bytes the part has grown or, if negative, shrunk
   */
  LedgerPart(LongConsumer sum) {
    this.sum = sum;
  }

  synchronized void add(LedgeredBlock block) {
    live.put(block.address(), block);
    usedBytes += block.bytes();
    peakBytes = Math.max(peakBytes, usedBytes);
    if (usedBytes - toldBytes >= 2 * STEP_BYTES) {
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

  /**
   * The live block at an address, or null. One that is being freed is passed over: its address may
   * be another's by now.
   */
  synchronized LedgeredBlock at(long address) {
    LedgeredBlock block = live.get(address);
    return block != null && block.isLive() ? block : null;
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

  synchronized long peakBytes() {
    return peakBytes;
  }

  synchronized int blocks() {
    return live.size();
  }

  private void takeOut(LedgeredBlock block) {
    // The operating system may have handed the same address out again meanwhile: that entry stays.
    live.remove(block.address(), block);
    usedBytes -= block.bytes();
  }

  private void tellLess() {
    if (usedBytes < toldBytes) {
      tell(Math.max(0, usedBytes - STEP_BYTES));
    }
  }

  private void tell(long bytes) {
    sum.accept(bytes - toldBytes);
    toldBytes = bytes;
  }
}
