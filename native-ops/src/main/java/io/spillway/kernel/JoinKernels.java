package io.spillway.kernel;

/**
 * The kernels of hash joins; what {@link Kernels} says of kernels holds for these too, and {@code
 * spw_abi_join.h} says what each one does.
 */
public final class JoinKernels {
  private JoinKernels() {}

  /** Gives rows with a null key hashes that differ; returns how many there are. */
  public static long spread(long keyless, int rows, long hashes, long seed) {
    return Kernels.checked(
        "join_spread", JoinNatives.spread(Kernels.ready(), keyless, rows, hashes, seed));
  }

  /**
   * Numbers of the rows whose byte is wanted.
   *
   * @param bytes address of a byte a row, each below 8
   * @param mask bit {@code b} set: rows with the byte {@code b} are wanted
   * @param out address of {@code rows} 32-bit numbers
   * @return how many there are
   */
  public static long having(long bytes, int rows, int mask, long out) {
    return Kernels.checked(
        "join_having", JoinNatives.having(Kernels.ready(), bytes, rows, mask, out));
  }

  /**
   * Enters one page of a partition into its index.
   *
   * @return the rows entered, or {@link Abi#NEEDS_INDEX}
   */
  public static long index(long block, int partition, int page) {
    return Kernels.checked(
        "join_index", JoinNatives.index(Kernels.ready(), block, partition, page));
  }

  /**
   * Looks probe rows up.
   *
   * @return the pairs found, or {@link Abi#NEEDS_INDEX}
   */
  public static long probe(long block) {
    return Kernels.checked("join_probe", JoinNatives.probe(Kernels.ready(), block));
  }

  /** Keeps some pairs and marks their rows as matched; returns how many are kept. */
  public static long mark(long block, long selection, int count, boolean builds) {
    return Kernels.checked(
        "join_mark", JoinNatives.mark(Kernels.ready(), block, selection, count, builds ? 1 : 0));
  }

  /** Build rows of one page that nothing has matched, which are then marked; returns how many. */
  public static long unmatched(long block, int partition, int page, int start) {
    return Kernels.checked(
        "join_unmatched", JoinNatives.unmatched(Kernels.ready(), block, partition, page, start));
  }

  /** Copies long strings of columns; returns the rows whose strings had room. */
  public static long keep(
      long columns, int ncolumns, int rows, long text, long capacity, long need) {
    return Kernels.checked(
        "join_keep",
        JoinNatives.keep(Kernels.ready(), columns, ncolumns, rows, text, capacity, need));
  }
}
