package io.spillway.memory;

/**
 * Blocks that a few threads freed last, kept with their pages for the next ones of the same size. A
 * block that comes and goes then does not call the system, which takes microseconds, nor wait for a
 * lock that all threads share. Thread-safe; its lock is a leaf.
 */
final class RecentBlocks {
  /** What one of these keeps at most, and so the largest block. */
  static final long MOST_BYTES = 256 * 1024;

  private static final int MOST_BLOCKS = 64;

  /** From the oldest to the newest, without holes. */
  private final long[] addresses = new long[MOST_BLOCKS];

  private final long[] sizes = new long[MOST_BLOCKS];
  private int count;
  private long keptBytes;

  /** The newest block of exactly that size, which is the caller's now, or 0. */
  synchronized long take(long bytes) {
    for (int i = count - 1; i >= 0; i--) {
      if (sizes[i] == bytes) {
        return removeAt(i).address();
      }
    }
    return 0;
  }

  /**
   * Keeps a block if there is room.
   *
   * @return whether it was kept; if not, {@link #dropOldest} makes room
   */
  synchronized boolean offer(long address, long bytes) {
    if (count == MOST_BLOCKS || keptBytes + bytes > MOST_BYTES) {
      return false;
    }
    addresses[count] = address;
    sizes[count] = bytes;
    count++;
    keptBytes += bytes;
    return true;
  }

  /** Takes the oldest block out, for the caller to give back; null if there is none. */
  synchronized Kept dropOldest() {
    return count == 0 ? null : removeAt(0);
  }

  private Kept removeAt(int index) {
    Kept removed = new Kept(addresses[index], sizes[index]);
    keptBytes -= removed.bytes();
    count--;
    System.arraycopy(addresses, index + 1, addresses, index, count - index);
    System.arraycopy(sizes, index + 1, sizes, index, count - index);
    return removed;
  }

  /**
   * A block that is kept no longer.
   *
   * @param address where it starts
   * @param bytes its size
   */
  record Kept(long address, long bytes) {}
}
