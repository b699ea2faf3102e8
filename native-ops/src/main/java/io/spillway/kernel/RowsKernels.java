package io.spillway.kernel;

/**
 * The kernels of the row store; what {@link Kernels} says of kernels holds for these too, and
 * {@code spw_abi_rows.h} says what each one does.
 */
public final class RowsKernels {
  private RowsKernels() {}

  /**
   * Appends rows {@code [start, rows)} of a {@code spw_rows} to the pages of their partitions.
   *
   * @return the rows, or {@link Abi#NEEDS_PAGE}
   */
  public static long append(long block, long start) {
    return Kernels.checked("rows_append", RowsNatives.append(Kernels.ready(), block, start));
  }

  /** Reads the rows of a {@code spw_rows_out} into columns; returns their number. */
  public static long gather(long block) {
    return Kernels.checked("rows_gather", RowsNatives.gather(Kernels.ready(), block));
  }

  /**
   * Validates a page that was read back against the layout of a {@code spw_rows}.
   *
   * @throws KernelException with {@link Abi#BAD_PAGE} if it contradicts itself
   */
  public static long check(long block, long page, int capacity) {
    return Kernels.checked("rows_check", RowsNatives.check(Kernels.ready(), block, page, capacity));
  }

  /**
   * Hashes the rows of columns, as the aggregation does.
   *
   * @param out address of {@code rows} 64-bit hashes
   * @param anyNull address of a byte a row, set to 1 where a column is null; 0 if not wanted
   * @return {@code rows}
   */
  public static long hash(long columns, int ncolumns, int rows, long out, long anyNull) {
    return Kernels.checked(
        "rows_hash", RowsNatives.hash(Kernels.ready(), columns, ncolumns, rows, out, anyNull));
  }
}
