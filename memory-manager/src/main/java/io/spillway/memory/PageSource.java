package io.spillway.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.unsafe.Platform;

/**
 * Where native memory comes from. Blocks of 64 KiB and more are mapped from the operating system
 * and unmapped again, one by one. Smaller ones are cut from mapped spans, one set of spans for each
 * size: malloc would keep what it frees, and mapping them one by one would use up the mappings that
 * the system grants a process. Of blocks of whole pages up to 256 KiB those that were freed last
 * stay at hand, 2 MiB in all. Thread-safe.
 *
 * <p>The only place that can be refused memory by the operating system.
 */
class PageSource {
  private static final long FALLBACK_PAGE_BYTES = 4096;
  private static final long MAPPED_ALONE_BYTES = 64 * 1024;
  private static final long SMALL_SPAN_BYTES = 64 * 1024;
  private static final long PAGED_SPAN_BYTES = 1024 * 1024;

  /** No system has so much; sums with it do not overflow. */
  private static final long MOST_BYTES = 1L << 62;

  /** A thread keeps to one of them; few threads share one. */
  private static final int RECENTS = 8;

  /** Odd: those of threads that were started one after the other do not lie side by side. */
  private static final int RECENTS_STRIDE = 3;

  /** Sizes are multiples of the fine unit up to its limit, then of the coarse one up to a page. */
  private static final long FINE_UNIT_BYTES = 64;

  private static final long FINE_LIMIT_BYTES = 1024;
  private static final long COARSE_UNIT_BYTES = 256;

  private final boolean mapped = NativePages.available();
  private final long pageBytes = mapped ? NativePages.pageSize() : FALLBACK_PAGE_BYTES;
  private final SizeClass[] fine =
      classes(FINE_UNIT_BYTES, FINE_LIMIT_BYTES, SMALL_SPAN_BYTES, false);
  private final SizeClass[] coarse = classes(COARSE_UNIT_BYTES, pageBytes, SMALL_SPAN_BYTES, false);
  private final SizeClass[] paged = classes(pageBytes, MAPPED_ALONE_BYTES, PAGED_SPAN_BYTES, true);

  private final RecentBlocks[] recent =
      Stream.generate(RecentBlocks::new).limit(RECENTS).toArray(RecentBlocks[]::new);

  /**
   * What a request really takes, so that what is charged is what is held.
   *
   * @param bytes asked for, at least 1
   * @return a multiple of 64 up to 1 KiB, of 256 below the page size, else of the page size; 2^62
   *     for more than that, which is refused in any case
   */
  final long roundedBytes(long bytes) {
    long unit = pageBytes;
    if (bytes <= FINE_LIMIT_BYTES) {
      unit = FINE_UNIT_BYTES;
    } else if (bytes < pageBytes) {
      unit = COARSE_UNIT_BYTES;
    }
    return bytes >= MOST_BYTES ? MOST_BYTES : (bytes + unit - 1) / unit * unit;
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
    if (!mapped) {
      return Platform.allocateMemory(bytes);
    }
    long kept = isKept(bytes) ? recent().take(bytes) : 0;
    return kept == 0 ? take(bytes) : kept;
  }

  private long take(long bytes) {
    return bytes < MAPPED_ALONE_BYTES ? sizeClass(bytes).allocate() : map(bytes);
  }

  /**
   * Gives a block back.
   *
   * @param address what {@link #allocate} returned
   * @param bytes what it was asked for
   */
  void free(long address, long bytes) {
    if (!mapped) {
      Platform.freeMemory(address);
    } else if (isKept(bytes)) {
      keep(address, bytes);
    } else {
      give(address, bytes);
    }
  }

  private void keep(long address, long bytes) {
    RecentBlocks mine = recent();
    while (!mine.offer(address, bytes)) {
      RecentBlocks.Kept dropped = mine.dropOldest();
      if (dropped != null) {
        give(dropped.address(), dropped.bytes());
      }
    }
  }

  private void give(long address, long bytes) {
    if (bytes < MAPPED_ALONE_BYTES) {
      sizeClass(bytes).free(address, 1);
    } else {
      unmap(address, bytes);
    }
  }

  /** Whole pages only: a smaller block would pin those around it too. */
  private boolean isKept(long bytes) {
    return bytes >= pageBytes && bytes <= RecentBlocks.MOST_BYTES;
  }

  private RecentBlocks recent() {
    long thread = Thread.currentThread().getId();
    return recent[Math.floorMod(thread * RECENTS_STRIDE, RECENTS)];
  }

  /**
   * Gives many blocks back. Those that lie side by side go in one call to the operating system,
   * which for thousands of them takes a tenth of the time. One that fails does not keep the rest.
   *
   * @param blocks each taken here, and by its {@link LedgeredBlock#bytes}
   */
  final void freeAll(List<LedgeredBlock> blocks) {
    List<LedgeredBlock> ordered = new ArrayList<>(blocks);
    ordered.sort(Comparator.comparingLong(LedgeredBlock::address));
    Closing freeing = new Closing();
    int from = 0;
    for (int to = 1; to <= ordered.size(); to++) {
      if (to == ordered.size() || !isNext(ordered.get(to - 1), ordered.get(to))) {
        List<LedgeredBlock> run = ordered.subList(from, to);
        freeing.run(() -> freeRun(run));
        from = to;
      }
    }
    freeing.rethrow();
  }

  /** Whether two blocks lie side by side and came from the same place. */
  private boolean isNext(LedgeredBlock block, LedgeredBlock next) {
    boolean alike = block.bytes() == next.bytes() || (mappedAlone(block) && mappedAlone(next));
    return mapped && alike && block.address() + block.bytes() == next.address();
  }

  private void freeRun(List<LedgeredBlock> run) {
    LedgeredBlock first = run.get(0);
    LedgeredBlock last = run.get(run.size() - 1);
    if (run.size() == 1) {
      free(first.address(), first.bytes());
    } else if (mappedAlone(first)) {
      unmap(first.address(), last.address() + last.bytes() - first.address());
    } else {
      sizeClass(first.bytes()).free(first.address(), run.size());
    }
  }

  private static boolean mappedAlone(LedgeredBlock block) {
    return block.bytes() >= MAPPED_ALONE_BYTES;
  }

  /** Mapped for blocks below 64 KiB, with what is free of it; no larger than what was once live. */
  final long spanBytes() {
    long bytes = 0;
    for (SizeClass[] classes : new SizeClass[][] {fine, coarse, paged}) {
      for (SizeClass each : classes) {
        bytes += each.mappedBytes();
      }
    }
    return bytes;
  }

  static long map(long bytes) {
    long address = NativePages.map(bytes);
    if (address <= 0) {
      throw new OutOfMemoryError("mmap of " + bytes + " bytes failed with errno " + -address);
    }
    return address;
  }

  private static void unmap(long address, long bytes) {
    if (NativePages.unmap(address, bytes) == 0) {
      return;
    }
    // The system refuses when it would have to split a mapping and the process has too many: the
    // addresses stay taken then, the memory goes.
    long result = NativePages.discard(address, bytes);
    if (result != 0) {
      throw new IllegalStateException(
          "munmap and madvise of "
              + bytes
              + " bytes failed, the latter with errno "
              + -result
              + "; the block stays resident");
    }
  }

  private SizeClass sizeClass(long bytes) {
    if (bytes <= FINE_LIMIT_BYTES) {
      return fine[(int) (bytes / FINE_UNIT_BYTES) - 1];
    }
    return bytes < pageBytes
        ? coarse[(int) (bytes / COARSE_UNIT_BYTES) - 1]
        : paged[(int) (bytes / pageBytes) - 1];
  }

  private static SizeClass[] classes(
      long unitBytes, long mostBytes, long spanBytes, boolean discards) {
    SizeClass[] classes = new SizeClass[(int) (mostBytes / unitBytes)];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new SizeClass((i + 1) * unitBytes, spanBytes, discards);
    }
    return classes;
  }
}
