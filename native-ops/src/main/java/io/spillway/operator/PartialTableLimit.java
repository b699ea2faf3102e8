package io.spillway.operator;

/**
 * How large the table of a partial aggregation may become before its groups are handed out. Where
 * keys hardly repeat, a large table only costs: each row misses the processor's cache, and all of
 * it goes on unmerged. Such keys get a table that the cache holds, and now and then a large one, in
 * case they begin to repeat. Used by one thread.
 */
final class PartialTableLimit {
  /** What a core's second-level cache holds. */
  static final long SMALL_BYTES = 1 << 20;

  /** Of so many tables in a row that did not merge, one is large. */
  static final int SMALL_TABLES_IN_A_ROW = 64;

  /** More groups than this for each row that came, and the table was not worth its size. */
  private static final double FEW_REPEATS = 0.8;

  private final long largeBytes;
  private int smallTablesLeft;

  /**
   * @param largeBytes what a table may have whose keys repeat
   */
  PartialTableLimit(long largeBytes) {
    this.largeBytes = largeBytes;
  }

  /** Bytes above which the groups are handed out. */
  long bytes() {
    return smallTablesLeft > 0 ? Math.min(SMALL_BYTES, largeBytes) : largeBytes;
  }

  /**
   * A table is about to be handed out.
   *
   * @param rows that came since the last one was
   * @param groups that they make
   */
  void full(long rows, long groups) {
    if (groups < FEW_REPEATS * rows) {
      smallTablesLeft = 0;
    } else if (smallTablesLeft == 0) {
      smallTablesLeft = SMALL_TABLES_IN_A_ROW;
    } else {
      smallTablesLeft--;
    }
  }
}
