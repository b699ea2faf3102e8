package io.spillway.operator;

/**
 * How many rows a slice gets: the most that may be, or as many as fitted where that was too many.
 * Each attempt at more than there is room for may wait for other tasks, so the size grows again
 * only after a while.
 */
final class SliceSize {
  private static final int SLICES_UNTIL_GROWTH = 32;

  private final int maxRows;
  private int rows;
  private int loaded;

  SliceSize(int maxRows) {
    this.maxRows = maxRows;
    this.rows = maxRows;
  }

  /** The rows of the next slice, of so many that are left. */
  int next(int left) {
    return Math.min(rows, left);
  }

  /** A slice of so many rows is too large; half of it, which is the size from now on. */
  int half(int tooMany) {
    rows = tooMany / 2;
    loaded = 0;
    return rows;
  }

  /** A slice has been loaded. */
  void loaded() {
    loaded++;
    if (loaded == SLICES_UNTIL_GROWTH) {
      loaded = 0;
      rows = (int) Math.min(maxRows, 2L * rows);
    }
  }
}
