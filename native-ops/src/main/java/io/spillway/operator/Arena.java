package io.spillway.operator;

/** Hands out consecutive, 16-byte aligned parts of a block; owns nothing. */
final class Arena {
  private final long start;
  private long next;

  Arena(long start) {
    this.start = start;
    this.next = start;
  }

  /** The address of the next part. */
  long take(long bytes) {
    long address = next;
    next += (bytes + 15) & ~15L;
    return address;
  }

  /** Bytes handed out so far. */
  long used() {
    return next - start;
  }
}
