package io.spillway.operator;

/**
 * A place on a {@link RowTape}, and the page that it lies in, which stays in memory until the
 * cursor moves on. Used by the task's thread alone.
 */
final class TapeCursor {
  private final RowTape tape;
  private TapePage page;

  TapeCursor(RowTape tape) {
    this.tape = tape;
  }

  /** Goes to the page of a row, which may read it back from disk. */
  void moveTo(long row) {
    if (page != null && row >= page.first && row < page.end()) {
      return;
    }
    release();
    page = tape.read(row);
  }

  /** Address of the page. */
  long address() {
    return page.block.address();
  }

  /** The number of the page's first row. */
  long first() {
    return page.first;
  }

  /** The number behind that of the page's last row. */
  long end() {
    return page.end();
  }

  /** Leaves the page. */
  void release() {
    if (page != null) {
      TapePage left = page;
      page = null;
      tape.release(left);
    }
  }
}
