package io.spillway.kernel;

/**
 * The kernels of window frames that move with the row; what {@link Kernels} says of kernels holds
 * for these too, and {@code spw_abi_frame.h} says what each one does.
 */
public final class FrameKernels {
  private FrameKernels() {}

  /** Finds the frames of a block of rows; returns how many they are. */
  public static long bounds(long block) {
    return Kernels.checked("frame_bounds", FrameNatives.bounds(Kernels.ready(), block));
  }

  /** Moves a side of frames by range from a row on; returns the row to go on with. */
  public static long seek(long block, int row) {
    return Kernels.checked("frame_seek", FrameNatives.seek(Kernels.ready(), block, row));
  }

  /** Begins the functions of a block of rows; returns how many rows. */
  public static long start(long block) {
    return Kernels.checked("frame_start", FrameNatives.start(Kernels.ready(), block));
  }

  /** Takes a chunk into a function's values from a row on; returns the row to go on with. */
  public static long run(long block, int function, int row) {
    return Kernels.checked("frame_run", FrameNatives.run(Kernels.ready(), block, function, row));
  }

  /** Finds rows in a page by their numbers; returns for how many it did. */
  public static long find(long block) {
    return Kernels.checked("frame_find", FrameNatives.find(Kernels.ready(), block));
  }
}
