package io.spillway.kernel;

/** The row store's native methods as the library exports them; as {@link Natives}. */
final class RowsNatives {
  private RowsNatives() {}

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long append(int level, long block, long start);

  static native long gather(int level, long block);

  static native long check(int level, long block, long page, int capacity);

  static native long hash(int level, long columns, int ncolumns, int rows, long out, long anyNull);
}
