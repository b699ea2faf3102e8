package io.spillway.kernel;

/**
 * The exchange's kernels, one static method each; the rules of {@link Kernels} hold for them too.
 * What lies behind the addresses is laid out as {@code spw_abi_exchange.h} says and {@link
 * ExchangeAbi} repeats.
 */
public final class ExchangeKernels {
  private ExchangeKernels() {}

  /** Each row's partition as Spark's hash partitioning computes it; returns {@code rows}. */
  public static long hash(long columns, int ncolumns, int rows, int partitions, long out) {
    return Kernels.checked(
        "exchange_hash",
        ExchangeNatives.hash(Kernels.ready(), columns, ncolumns, rows, partitions, out));
  }

  /**
   * Stores rows from {@code start} on; returns how many: 0 if a chunk is needed, or {@link
   * Abi#NEEDS_BYTES} if room for strings is.
   */
  public static long append(long block, int start) {
    return Kernels.checked(
        "exchange_append", ExchangeNatives.append(Kernels.ready(), block, start));
  }

  /** Sorts the stored rows' numbers by partition; returns the rows. */
  public static long sort(long block) {
    return Kernels.checked("exchange_sort", ExchangeNatives.sort(Kernels.ready(), block));
  }

  /**
   * Writes sorted rows {@code [start, end)} as an image; returns how many fitted, or {@link
   * Abi#NEEDS_BYTES}.
   *
   * @throws KernelException with {@link Abi#TOO_LONG} if no image can be large enough for the first
   */
  public static long image(long block, int start, int end) {
    return Kernels.checked(
        "exchange_image", ExchangeNatives.image(Kernels.ready(), block, start, end));
  }

  /**
   * Makes columns of images; returns their rows.
   *
   * @throws KernelException with {@link Abi#BAD_IMAGE} if an image is damaged
   */
  public static long readImages(long block) {
    return Kernels.checked(
        "exchange_read_images", ExchangeNatives.readImages(Kernels.ready(), block));
  }
}
