package io.spillway.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Every live native block of an executor, with its owner. Its lock is a leaf: nothing is called
 * while it is held.
 */
final class Ledger {
  private final Map<Long, LedgeredBlock> live = new LinkedHashMap<>();
  private long usedBytes;
  private long peakBytes;

  synchronized void add(LedgeredBlock block) {
    live.put(block.address(), block);
    usedBytes += block.bytes();
    peakBytes = Math.max(peakBytes, usedBytes);
  }

  /** Once per block, by whoever claimed it, after its memory was given back. */
  synchronized void remove(LedgeredBlock block) {
    // The operating system may have handed the same address out again meanwhile: that entry stays.
    live.remove(block.address(), block);
    usedBytes -= block.bytes();
  }

  /** The live block at an address, or null. */
  synchronized LedgeredBlock at(long address) {
    return live.get(address);
  }

  synchronized List<LedgeredBlock> find(Predicate<LedgeredBlock> wanted) {
    List<LedgeredBlock> found = new ArrayList<>();
    for (LedgeredBlock block : live.values()) {
      if (wanted.test(block)) {
        found.add(block);
      }
    }
    return found;
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
}
