package io.spillway.kernel;

/** The moving frames' native methods as the library exports them; as {@link Natives}. */
final class FrameNatives {
  private FrameNatives() {}

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long bounds(int level, long block);

  static native long seek(int level, long block, int row);

  static native long start(int level, long block);

  static native long run(int level, long block, int function, int row);

  static native long find(int level, long block);
}
