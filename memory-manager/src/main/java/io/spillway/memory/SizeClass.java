package io.spillway.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.TreeMap;

/**
 * Blocks of one size, cut from mapped spans. A span whose last block is freed is unmapped, but for
 * one that is kept, so that a block that comes and goes does not map a span each time.
 *
 * <p>Blocks of whole pages give their pages back one by one, so that a span of which one block is
 * left holds that block only. Thread-safe; its lock is a leaf, only the operating system is called
 * while it is held.
 */
final class SizeClass {
  private final long slotBytes;
  private final long spanBytes;
  private final int slots;
  private final boolean discards;
  private final TreeMap<Long, Span> spans = new TreeMap<>();

  /** Those with a free slot; the ones that were used last come first. */
  private final Deque<Span> withRoom = new ArrayDeque<>();

  private int emptySpans;

  /**
   * No span yet.
   *
   * @param slotBytes size of its blocks
   * @param spanBytes what is mapped at once, a multiple of the page size
   * @param discards whether a free block's pages go back while its span lives; its size is a
   *     multiple of the page size then
   */
  SizeClass(long slotBytes, long spanBytes, boolean discards) {
    this.slotBytes = slotBytes;
    this.spanBytes = spanBytes;
    this.slots = (int) (spanBytes / slotBytes);
    this.discards = discards;
  }

  /** Takes a block, or throws {@code OutOfMemoryError} if a span cannot be mapped. */
  synchronized long allocate() {
    Span span = withRoom.peekFirst();
    if (span == null) {
      span = new Span(PageSource.map(spanBytes), slots);
      spans.put(span.base, span);
      withRoom.addFirst(span);
      emptySpans++;
    }
    if (span.live == 0) {
      emptySpans--;
    }
    int slot = span.take();
    if (span.live == slots) {
      withRoom.removeFirst();
    }
    return span.base + slot * slotBytes;
  }

  /**
   * Gives back blocks that {@link #allocate} returned and that lie side by side, in one span or in
   * several.
   *
   * @param address of the first
   * @param blocks how many
   */
  void free(long address, int blocks) {
    long at = address;
    int left = blocks;
    while (left > 0) {
      // Other threads get the lock between spans.
      int freed = freeInSpan(at, left);
      at += freed * slotBytes;
      left -= freed;
    }
  }

  private synchronized int freeInSpan(long address, int atMost) {
    Span span = spans.floorEntry(address).getValue();
    int slot = (int) ((address - span.base) / slotBytes);
    int count = Math.min(atMost, slots - slot);
    if (span.live == slots) {
      withRoom.addFirst(span);
    }
    for (int i = slot; i < slot + count; i++) {
      span.give(i);
    }
    if (span.live == 0 && emptySpans > 0 && NativePages.unmap(span.base, spanBytes) == 0) {
      spans.remove(span.base);
      withRoom.remove(span);
      return count;
    }
    if (span.live == 0) {
      emptySpans++;
    }
    if (discards) {
      NativePages.discard(address, count * slotBytes);
    }
    return count;
  }

  /** What is mapped now, in bytes. */
  synchronized long mappedBytes() {
    return spans.size() * spanBytes;
  }

  /** One mapped range; a set bit is a free slot. */
  private static final class Span {
    private final long base;
    private final long[] free;
    private int live;

    Span(long base, int slots) {
      this.base = base;
      free = new long[(slots + Long.SIZE - 1) / Long.SIZE];
      Arrays.fill(free, -1L);
      if (slots % Long.SIZE != 0) {
        free[free.length - 1] = (1L << slots % Long.SIZE) - 1;
      }
    }

    int take() {
      int word = 0;
      while (free[word] == 0) {
        word++;
      }
      int bit = Long.numberOfTrailingZeros(free[word]);
      free[word] &= ~(1L << bit);
      live++;
      return word * Long.SIZE + bit;
    }

    void give(int slot) {
      free[slot / Long.SIZE] |= 1L << slot % Long.SIZE;
      live--;
    }
  }
}
