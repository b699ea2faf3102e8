package io.spillway.kernel;

/**
 * The kernels of window functions; what {@link Kernels} says of kernels holds for these too, and
 * {@code spw_abi_window.h} says what each one does.
 */
public final class WindowKernels {
  private WindowKernels() {}

  /** Marks the rows that start partitions or peers; returns their number. */
  public static long mark(long block) {
    return Kernels.checked("window_mark", WindowNatives.mark(Kernels.ready(), block));
  }

  /** Keeps the keys of the last row; returns 0 or {@link Abi#NEEDS_BYTES}. */
  public static long keep(long block) {
    return Kernels.checked("window_keep", WindowNatives.keep(Kernels.ready(), block));
  }

  /** Takes rows {@code [from, to)} into the functions; returns how many they are. */
  public static long run(long block, int from, int to) {
    return Kernels.checked("window_run", WindowNatives.run(Kernels.ready(), block, from, to));
  }

  /** Ends the open peers, and the open partition if said; returns how many groups ended. */
  public static long end(long block, boolean partition) {
    return Kernels.checked(
        "window_end", WindowNatives.end(Kernels.ready(), block, partition ? 1 : 0));
  }

  /** Says which group each of the next rows belongs to; returns for how many rows it does. */
  public static long spreadOver(long block, int rows) {
    return Kernels.checked(
        "window_spread_over", WindowNatives.spreadOver(Kernels.ready(), block, rows));
  }

  /** Moves on by so many rows; returns their number. */
  public static long spreadSkip(long block, int rows) {
    return Kernels.checked(
        "window_spread_skip", WindowNatives.spreadSkip(Kernels.ready(), block, rows));
  }
}
