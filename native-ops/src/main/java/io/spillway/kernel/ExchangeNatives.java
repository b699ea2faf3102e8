package io.spillway.kernel;

/** The exchange's native methods as the library exports them; see {@link Natives}. */
final class ExchangeNatives {
  private ExchangeNatives() {}

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long hash(
      int level, long columns, int ncolumns, int rows, int partitions, long out);

  static native long append(int level, long block, int start);

  static native long sort(int level, long block);

  static native long image(int level, long block, int start, int end);

  static native long readImages(int level, long block);
}
