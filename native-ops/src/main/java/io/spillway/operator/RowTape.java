package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Rows that are numbered as they come and then read by several cursors, each from where it likes,
 * as often as it likes: first all go in, then they are read, then all are dropped, and so on. What
 * no cursor reads at the moment can be spilled at any time; every page is a segment of its own, so
 * that each can be read back alone. Its memory is the operator's. Used by the task's thread alone.
 */
final class RowTape {
  private final OperatorMemory memory;
  private final RowLayout layout;
  private final RowStore store;
  private final List<TapePage> pages = new ArrayList<>();

  /** Pages before this one are not wanted any more. */
  private int forgotten;

  private long rows;
  private SpillFile file;

  /**
   * @param types kernel types of a row's columns
   * @param cursors how many cursors read at the same time; each keeps a page in memory
   */
  RowTape(OperatorContext context, int[] types, int cursors) {
    memory = context.memory();
    layout = new RowLayout(types, memory.allocate(RowLayout.bytes(types.length)).address());
    long part = RowPartitions.largestPageBytes(context.budget(), 0) / (1L + cursors);
    int largest = (int) Math.max(context.budget().pageBytes(), Long.highestOneBit(part));
    store = new RowStore(context, memory::allocate, layout, 0, 0, largest);
  }

  RowLayout layout() {
    return layout;
  }

  OperatorMemory memory() {
    return memory;
  }

  /**
   * Puts rows {@code [from, to)} in; this may spill the tape.
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

  /** From now on rows are read. */
  void startReading() {
    drain();
  }

  /** Takes the pages over from the store that fills them; it starts a new one when rows come. */
  private void drain() {
    RowPartition all = store.partitions().get(0);
    while (all.hasPages()) {
      NativeBlock block = all.takePage();
      int pageRows = Platform.getInt(null, block.address() + Abi.PAGE_ROWS);
      if (pageRows == 0) {
        block.close();
        continue;
      }
      pages.add(new TapePage(rows, pageRows, block));
      rows += pageRows;
    }
    all.dropPages();
  }

  /**
   * The page of a row, in memory until {@link #release}.
   *
   * @throws SpillException if it cannot be read back
   */
  TapePage read(long row) {
    TapePage page = pages.get(pageOf(row));
    if (page.block == null) {
      page.block = readBack(page.segment);
    }
    page.readers++;
    return page;
  }

  /** One reader of the page less. */
  void release(TapePage page) {
    page.readers--;
    if (page.readers == 0 && page.segment != null) {
      page.free();
    }
  }

  private int pageOf(long row) {
    int low = forgotten;
    int high = pages.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      TapePage page = pages.get(middle);
      if (row < page.first) {
        high = middle - 1;
      } else if (row >= page.end()) {
        low = middle + 1;
      } else {
        return middle;
      }
    }
    throw new IllegalStateException("row " + row + " of a tape of " + rows + " is not there");
  }

  private NativeBlock readBack(SpillSegment segment) {
    try (PageReader reader = new PageReader(memory, store::checkPage, file, List.of(segment))) {
      return reader.next();
    }
  }

  /** Rows before this one are not read any more. */
  void forgetBefore(long row) {
    while (forgotten < pages.size() && pages.get(forgotten).end() <= row) {
      TapePage page = pages.get(forgotten);
      if (page.readers > 0) {
        return;
      }
      page.free();
      forgotten++;
    }
  }

  /** Drops all rows, so that others can go in; no cursor has a page. */
  void clear() {
    pages.forEach(TapePage::free);
    pages.clear();
    forgotten = 0;
    rows = 0;
    store.partitions().clear();
    if (file != null) {
      file.close();
      file = null;
    }
  }

  /**
   * Writes what is in memory and not being read; the bytes freed.
   *
   * @throws SpillException if the disk fails; what was not written is still in memory
   */
  long spill() {
    drain();
    long freed = 0;
    try {
      for (int i = forgotten; i < pages.size(); i++) {
        TapePage page = pages.get(i);
        long bytes = page.idleBytes();
        if (bytes > 0) {
          write(page);
          page.free();
          freed += bytes;
        }
      }
    } catch (IOException e) {
      throw new SpillException(
          memory.name() + " could not spill rows of a window: " + e.getMessage(), e);
    }
    return freed;
  }

  private void write(TapePage page) throws IOException {
    if (page.segment != null) {
      return;
    }
    if (file == null) {
      file = memory.createSpillFile();
    }
    try (SegmentWriter writer = file.newSegment()) {
      RowPages.write(writer, page.block.address(), layout.rowWidth());
      page.segment = writer.finish();
    }
  }
}
