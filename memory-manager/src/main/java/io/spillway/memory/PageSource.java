package io.spillway.memory;

import org.apache.spark.unsafe.Platform;

/**
 * Where native memory comes from: blocks of a page and more are mapped from the operating system
 * and unmapped again, smaller ones come from malloc. Thread-safe; keeps no state.
 *
 * <p>The only place that can be refused memory by the operating system.
 */
class PageSource {
  private static final long SMALL_ALIGNMENT_BYTES = 64;
  private static final long FALLBACK_PAGE_BYTES = 4096;

  private final boolean mapped = NativePages.available();
  private final long pageBytes = mapped ? NativePages.pageSize() : FALLBACK_PAGE_BYTES;

  /**
   * What a request really takes, so that what is charged is what is held.
   *
   * @param bytes asked for, at least 1
   * @return a multiple of 64 below the page size, else a multiple of the page size
   */
  final long roundedBytes(long bytes) {
    long unit = bytes < pageBytes ? SMALL_ALIGNMENT_BYTES : pageBytes;
    return Math.addExact(bytes, unit - 1) / unit * unit;
  }

  /**
   * Takes a block.
   *
   * @param bytes a figure that {@link #roundedBytes} returned
   * @return its address; the content is undefined
   * @throws OutOfMemoryError if the operating system refuses. It never leaves this package: the
   *     caller makes it a refusal.
   */
  long allocate(long bytes) {
    if (!mapped || bytes < pageBytes) {
      return Platform.allocateMemory(bytes);
    }
    long address = NativePages.map(bytes);
    if (address <= 0) {
      throw new OutOfMemoryError("mmap of " + bytes + " bytes failed with errno " + -address);
    }
    return address;
  }

  /**
   * Gives a block back.
   *
   * @param address what {@link #allocate} returned
   * @param bytes what it was asked for
   */
  void free(long address, long bytes) {
    if (!mapped || bytes < pageBytes) {
      Platform.freeMemory(address);
      return;
    }
    long result = NativePages.unmap(address, bytes);
    if (result != 0) {
      throw new IllegalStateException(
          "munmap of "
              + bytes
              + " bytes failed with errno "
              + -result
              + "; the block stays mapped");
    }
  }
}
