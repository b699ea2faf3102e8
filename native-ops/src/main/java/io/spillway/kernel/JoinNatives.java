package io.spillway.kernel;

/** Hash joins' native methods as the library exports them; as {@link Natives}. */
final class JoinNatives {
  private JoinNatives() {}

  /** Fills {@code out} with the C compiler's sizes and offsets; returns how many there are. */
  static native int layout(int[] out);

  static native long spread(int level, long keyless, int rows, long hashes, long seed);

  static native long having(int level, long bytes, int rows, int mask, long out);

  static native long index(int level, long block, int partition, int page);

  static native long probe(int level, long block);

  static native long mark(int level, long block, long selection, int count, int builds);

  static native long unmatched(int level, long block, int partition, int page, int start);

  static native long keep(
      int level, long columns, int ncolumns, int rows, long text, long capacity, long need);
}
