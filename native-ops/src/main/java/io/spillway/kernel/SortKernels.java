package io.spillway.kernel;

/**
 * The kernels of the sort; what {@link Kernels} says of kernels holds for these too, and {@code
 * spw_abi_sort.h} says what each one does.
 */
public final class SortKernels {
  private SortKernels() {}

  /** Makes entries for the rows of a page from {@code first} on; returns how many. */
  public static long index(long block, int page, int first, long entries, int room) {
    return Kernels.checked(
        "sort_index", SortNatives.index(Kernels.ready(), block, page, first, entries, room));
  }

  /** Sorts entries, at most {@link SortAbi#MAX_ENTRIES}; returns {@code count}. */
  public static long entries(long block, long entries, long scratch, int count) {
    return Kernels.checked(
        "sort_entries", SortNatives.entries(Kernels.ready(), block, entries, scratch, count));
  }

  /** Starts a merge; returns 0 or {@link Abi#NEEDS_PAGE}. */
  public static long start(long block) {
    return Kernels.checked("sort_start", SortNatives.start(Kernels.ready(), block));
  }

  /**
   * Appends the next rows in order to a page.
   *
   * @return the rows appended, {@link Abi#NEEDS_PAGE} or {@link Abi#NEEDS_BYTES}
   */
  public static long merge(long block, long page, int maxRows) {
    return Kernels.checked("sort_merge", SortNatives.merge(Kernels.ready(), block, page, maxRows));
  }

  /** Drops the next row; returns 0 or {@link Abi#NEEDS_PAGE}. */
  public static long skip(long block) {
    return Kernels.checked("sort_skip", SortNatives.skip(Kernels.ready(), block));
  }

  /** Selects the rows of a {@code spw_sort_first} that may be among the first; returns how many. */
  public static long first(long block) {
    return Kernels.checked("sort_first", SortNatives.first(Kernels.ready(), block));
  }
}
