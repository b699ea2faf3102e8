package io.spillway.kernel;

/**
 * The native methods as the library exports them. The level says which of the library's two builds
 * of a kernel runs; the result is the kernel's own, unchecked.
 *
 * <p>A call before {@link Kernels#available()} answered true ends in an {@link
 * UnsatisfiedLinkError}.
 */
final class Natives {
  private Natives() {}

  static native int abiVersion();

  static native int cpuLevel();

  /** The meaning of a negative result, or null if it is not in the list. */
  static native String resultText(int code);

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long eval(int level, long block);

  static native long aggAdd(int level, long block, long start);

  static native long aggMergePage(int level, long block, long page, long start);

  static native long aggInitGroup(int level, long block);

  static native long indexBuild(int level, long partition, int rowWidth);

  static native long pageInit(int level, long page, int capacity);

  static native long pageCheck(int level, long block, long page, int capacity);

  static native long aggEmit(int level, long block);

  static native long rowsToColumns(int level, long block);

  static native long columnsToRows(int level, long block, int start);

  static native long select(int level, long values, long nulls, int rows, long out);

  static native long take(int level, long in, long out, int ncolumns, long selection, int count);

  static native long dictionary(
      int level, int type, long dictionary, int entries, long ids, long nulls, int rows, long out);

  static native long strings(
      int level,
      long offsets,
      long lengths,
      long data,
      long dataBytes,
      long nulls,
      int rows,
      long out);

  static native long decimals(
      int level,
      long offsets,
      long lengths,
      long data,
      long dataBytes,
      long nulls,
      int rows,
      long out);

  static native long widen(int level, int from, long in, int rows, long out);
}
