package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Rows that come out in the order in which they went in: first all go in, then all come out, and so
 * on. What is in memory can be spilled at any time. Its memory is the operator's. Used by the
 * task's thread alone.
 */
final class RowQueue {
  private final OperatorMemory memory;
  private final RowStore store;
  private final RowGather gather;
  private final int maxRows;
  private NativeBlock page;
  private PageReader reader;
  private int first;
  private int rows;

  /**
   * @param types kernel types of a row's columns
   * @param maxRows the most rows that are looked at together
   */
  RowQueue(OperatorContext context, int[] types, int maxRows) {
    this.memory = context.memory();
    this.maxRows = maxRows;
    RowLayout layout =
        new RowLayout(types, memory.allocate(RowLayout.bytes(types.length)).address());
    int[] all = new int[types.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    store = new RowStore(context, memory::allocate, layout, 0, 0);
    gather = new RowGather(memory, layout, all, maxRows);
  }

  /**
   * Puts rows {@code [from, to)} in; this may spill the queue.
   *
   * @param columns address of one {@code spw_column} a column
   */
  void add(long columns, int from, int to) {
    if (from == to) {
      return;
    }
    store.setInput(columns, 0, 0, to);
    if (store.append(from) < to) {
      throw new IllegalStateException("rows are stored by the ladder and not refused room");
    }
  }

  /** Whether something went in since everything came out. */
  boolean isEmpty() {
    RowPartition all = store.partitions().get(0);
    return !all.hasPages() && all.segments().isEmpty();
  }

  /** From now on rows come out. */
  void startReading() {
    RowPartition all = store.partitions().get(0);
    // What is in memory came later than what was written.
    if (!all.segments().isEmpty() && all.hasPages()) {
      store.partitions().spill(all);
    }
  }

  /**
   * Looks at the next rows, which stay valid until the rows after them are looked at.
   *
   * @return how many there are; 0: all have come out, and rows may go in again
   */
  int look() {
    while (page == null || first == rowsOfPage()) {
      closePage();
      page = nextPage();
      first = 0;
      if (page == null) {
        finish();
        return 0;
      }
      load();
    }
    if (rows == 0) {
      load();
    }
    return rows;
  }

  /** Takes the first of the rows looked at out. */
  void skip(int count) {
    first += count;
    rows = 0;
  }

  /** Takes out all rows looked at. */
  void skip() {
    skip(rows);
  }

  /** The columns of the rows looked at. */
  RowGather columns() {
    return gather;
  }

  private void load() {
    rows = Math.min(maxRows, rowsOfPage() - first);
    gather.fromPage(page.address(), first, rows);
  }

  private int rowsOfPage() {
    return Platform.getInt(null, page.address() + Abi.PAGE_ROWS);
  }

  /** Pages in memory come before what was spilled while they came out. */
  private NativeBlock nextPage() {
    RowPartition all = store.partitions().get(0);
    if (all.hasPages()) {
      return all.takePage();
    }
    if (reader == null) {
      if (all.segments().isEmpty()) {
        return null;
      }
      reader =
          new PageReader(
              memory, store::checkPage, store.partitions().file(), List.copyOf(all.segments()));
    }
    return reader.next();
  }

  private void finish() {
    rows = 0;
    if (reader != null) {
      reader.close();
      reader = null;
    }
    store.partitions().clear();
  }

  private void closePage() {
    if (page != null) {
      page.close();
      page = null;
    }
  }

  /** Writes what is in memory; the bytes freed. */
  long spill(long bytes) {
    return store.partitions().spill(bytes);
  }
}
