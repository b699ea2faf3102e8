package io.spillway.kernel;

/** The sort's native methods as the library exports them; as {@link Natives}. */
final class SortNatives {
  private SortNatives() {}

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long index(int level, long block, int page, int first, long entries, int room);

  static native long entries(int level, long block, long entries, long scratch, int count);

  static native long start(int level, long block);

  static native long merge(int level, long block, long page, int maxRows);

  static native long skip(int level, long block);

  static native long first(int level, long block);
}
