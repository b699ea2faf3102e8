package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.function.Supplier;
import org.apache.spark.unsafe.Platform;

/**
 * Spilled rows as columns: page by page, some rows of a page at a time, which are valid until the
 * next ones. Holds one page. Used by the task's thread alone.
 */
final class StoredRows implements AutoCloseable {
  private final OperatorMemory memory;
  private final Supplier<RowGather> gathers;
  private final int maxRows;
  private RowGather gather;
  private PageReader pages;
  private NativeBlock page;
  private int nextRow;
  private int rows;

  /**
   * @param gathers makes what reads the columns, with room for {@code maxRows}, when something is
   *     read for the first time
   */
  StoredRows(OperatorMemory memory, Supplier<RowGather> gathers, int maxRows) {
    this.memory = memory;
    this.gathers = gathers;
    this.maxRows = maxRows;
  }

  /** Starts over with other pages, of which it becomes the owner. */
  StoredRows over(PageReader reader) {
    close();
    pages = reader;
    if (gather == null) {
      gather = gathers.get();
    }
    return this;
  }

  /** Moves on to the next rows; false at the end. */
  boolean next() {
    memory.batchBoundary();
    while (page == null || nextRow == rowsOf(page)) {
      closePage();
      page = pages.next();
      nextRow = 0;
      if (page == null) {
        return false;
      }
    }
    rows = Math.min(maxRows, rowsOf(page) - nextRow);
    gather.fromPage(page.address(), nextRow, rows);
    nextRow += rows;
    return true;
  }

  int rows() {
    return rows;
  }

  /** Leaves the second half of the rows to the next ones; false if there is one row only. */
  boolean halve() {
    if (rows <= 1) {
      return false;
    }
    int kept = rows / 2;
    nextRow -= rows - kept;
    rows = kept;
    return true;
  }

  RowGather gather() {
    return gather;
  }

  private static int rowsOf(NativeBlock page) {
    return Platform.getInt(null, page.address() + Abi.PAGE_ROWS);
  }

  private void closePage() {
    if (page != null) {
      page.close();
      page = null;
    }
  }

  @Override
  public void close() {
    closePage();
    if (pages != null) {
      pages.close();
      pages = null;
    }
  }
}
