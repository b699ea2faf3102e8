package io.spillway.kernel;

/** The window functions' native methods as the library exports them; as {@link Natives}. */
final class WindowNatives {
  private WindowNatives() {}

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long mark(int level, long block);

  static native long keep(int level, long block);

  static native long run(int level, long block, int from, int to);

  static native long end(int level, long block, int partition);

  static native long spreadOver(int level, long block, int rows);

  static native long spreadSkip(int level, long block, int rows);
}
