package io.spillway.operator;

import io.spillway.kernel.Kernels;
import io.spillway.kernel.SortAbi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;

/**
 * The rows of one sort: in memory with an index in sorted blocks, and in sorted runs on disk. Every
 * sorted piece is merged the same way, into pages: those of a spill, of a pass over too many runs,
 * and of the output.
 *
 * <p>It may be spilled at any allocation. A spill merges what is in memory into one run; it takes
 * no memory, and while rows are handed out it leaves those that are out alone, as they were copied.
 * Used by the task's thread alone.
 */
final class SortState {
  private static final int SMALLEST_PAGE_BYTES = 4096;
  private static final int LARGEST_PAGE_BYTES = 256 << 10;
  private static final int FEWEST_RUNS = 4;

  /** What a sort with a small limit gathers before it drops what is behind the limit. */
  private static final long LIMITED_BYTES = 8 << 20;

  private static final int MOST_RUNS = 64;

  private final OperatorMemory memory;
  private final TaskContext task;
  private final SortLayout layout;
  private final RowStore store;
  private final SortIndex index;
  private final SortMerge spilling;
  private final SortMerge merging;
  private final NativeBlock spillPage;
  private final int pageBytes;
  private final int mostRuns;
  private final int limit;
  private final long mostBytes;
  private final List<SpilledRun> onDisk = new ArrayList<>();
  private SpillFile file;
  private boolean handingOut;
  private boolean unspillable;

  /**
   * @param types kernel types of the rows' columns
   * @param keys in the order in which they are compared
   * @param limit how many rows come out at the most
   */
  SortState(OperatorContext context, int[] types, List<SortSpec.Key> keys, int limit) {
    memory = context.memory();
    task = TaskContext.get();
    long share = context.budget().shareBytes();
    pageBytes =
        (int)
            Math.max(
                SMALLEST_PAGE_BYTES, Math.min(LARGEST_PAGE_BYTES, Long.highestOneBit(share / 256)));
    mostRuns = (int) Math.max(FEWEST_RUNS, Math.min(MOST_RUNS, share / 4 / pageBytes));
    spillPage = memory.allocate(pageBytes);
    this.limit = limit;
    long blocks = memory.allocate(2L * SortAbi.SORT_SIZE + SortLayout.bytes(types, keys)).address();
    layout = new SortLayout(types, keys, blocks + 2L * SortAbi.SORT_SIZE);
    store = new RowStore(context, this::room, layout.rows(), 0, 0, pageBytes);
    long cap = Math.min(LIMITED_BYTES, share / 2);
    mostBytes = (long) limit * layout.rows().rowWidth() < cap / 4 ? cap : Long.MAX_VALUE;
    layout.describe(blocks, store.structs());
    layout.describe(blocks + SortAbi.SORT_SIZE, store.structs());
    spilling = new SortMerge(memory, blocks);
    merging = new SortMerge(memory, blocks + SortAbi.SORT_SIZE);
    index = new SortIndex(context, blocks, store.structs(), spilling::reserve);
  }

  /** A page for rows to come; the rows before are taken into the index first, as it may spill. */
  private NativeBlock room(long bytes) {
    index.take();
    return memory.allocate(bytes);
  }

  SortLayout layout() {
    return layout;
  }

  /**
   * Adds rows.
   *
   * @param columns address of one {@code spw_column} a column of the layout
   * @param selection address of {@code rows} 32-bit numbers of the columns' rows; 0: all in turn
   */
  void add(long columns, long selection, int rows) {
    int done = 0;
    while (done < rows) {
      int end = Math.min(rows, done + index.makeRoom());
      store.setInput(columns, 0, selection, end);
      done = store.append(done);
      index.take();
    }
    if (store.partitions().bytes() > mostBytes) {
      spill(mostBytes);
    }
  }

  /** Sorts what is left and starts to hand out; nothing is added any more. */
  void startOutput() {
    index.sortLast();
    index.endOfRows();
    while (onDisk.size() > mostRuns) {
      mergeOnDisk(mostRuns);
    }
    merging.reserve(index.runs().size() + onDisk.size() + 1);
    // Opening a run may spill what is in memory, which adds one.
    for (int opened = open(onDisk.size()); opened < onDisk.size(); opened = open(onDisk.size())) {
      mergeOnDisk(Math.max(2, opened));
    }
    merging.clear();
    for (SortIndex.Entries entries : index.runs()) {
      merging.addEntries(entries.address(), 0, entries.count());
    }
    onDisk.forEach(merging::addSpilled);
    handingOut = true;
  }

  /** Opens the first runs, as many as find room but two at the least; how many are open. */
  private int open(int most) {
    int opened = 0;
    while (opened < Math.min(most, onDisk.size())) {
      SpilledRun run = onDisk.get(opened);
      if (!run.isOpen() && opened < 2) {
        run.next();
      }
      if (!run.tryOpen()) {
        break;
      }
      opened++;
    }
    return opened;
  }

  /** Merges the oldest runs on disk, at most so many, into one that becomes the youngest. */
  private void mergeOnDisk(int most) {
    spill(Long.MAX_VALUE);
    unspillable = true;
    try {
      int count = open(Math.min(most, onDisk.size()));
      merging.reserve(count);
      merging.clear();
      List<SpilledRun> sources = new ArrayList<>(onDisk.subList(0, count));
      sources.forEach(merging::addSpilled);
      boolean pass = sources.stream().anyMatch(run -> run.file() == file);
      SpillFile target = pass ? memory.createSpillFile() : file;
      SpilledRun merged = write(merging, target);
      file = target;
      onDisk.subList(0, count).clear();
      onDisk.add(merged);
      closeUnused(sources);
    } finally {
      unspillable = false;
    }
  }

  /** Deletes the files of which nothing is wanted any more. */
  private void closeUnused(List<SpilledRun> read) {
    for (SpilledRun run : read) {
      run.close();
      if (run.file() != file && onDisk.stream().noneMatch(other -> other.file() == run.file())) {
        run.file().close();
      }
    }
  }

  /** The next rows in order; see {@link SortMerge#fill}. */
  int fill(long page, int capacity, int maxRows) {
    Kernels.pageInit(page, capacity);
    return merging.fill(page, maxRows);
  }

  /** The merge that hands out: for a row that was too large for a page. */
  SortMerge merging() {
    return merging;
  }

  /** A batch points into the rows in memory, or does not any more. */
  void pin(boolean pinned) {
    unspillable = pinned;
  }

  /** Bytes in memory that a spill would free. */
  private long bytes() {
    return store.partitions().bytes() + index.bytes();
  }

  /**
   * Writes the rows in memory as one sorted run, as many of them as can come out.
   *
   * @param wanted not looked at: a part of a run would have to be merged once more
   * @return the bytes freed
   * @throws SpillException if the disk fails; the sort cannot go on then
   */
  long spill(long wanted) {
    if (unspillable || store.partitions().bytes() == 0) {
      return 0;
    }
    unspillable = true;
    try {
      long before = bytes();
      collectInMemory();
      if (!spilling.isEmpty()) {
        if (file == null) {
          file = memory.createSpillFile();
        }
        SpilledRun run = write(spilling, file);
        onDisk.add(run);
        if (handingOut) {
          merging.addSpilled(run);
        }
      }
      store.partitions().get(0).dropPages();
      if (handingOut) {
        index.free();
      } else {
        index.rowsGone();
      }
      return before - bytes();
    } finally {
      unspillable = false;
    }
  }

  private void collectInMemory() {
    spilling.clear();
    if (handingOut) {
      merging.moveEntriesTo(spilling);
      return;
    }
    index.sortLast();
    for (SortIndex.Entries entries : index.runs()) {
      spilling.addEntries(entries.address(), 0, entries.count());
    }
  }

  private SpilledRun write(SortMerge source, SpillFile target) {
    try (SegmentWriter writer = target.newSegment()) {
      int left = limit;
      while (true) {
        // May take long, and nobody else looks whether the task is still wanted.
        task.killTaskIfInterrupted();
        Kernels.pageInit(spillPage.address(), pageBytes);
        int rows = source.fill(spillPage.address(), left);
        if (rows == 0) {
          return new SpilledRun(memory, store::checkPage, target, writer.finish());
        }
        left -= Math.abs(rows);
        if (rows > 0) {
          RowPages.write(writer, spillPage.address(), layout.rows().rowWidth());
        } else {
          // A row that needs a page of its own has one.
          RowPages.write(writer, source.headPage(), layout.rows().rowWidth());
          source.skip();
        }
      }
    } catch (IOException e) {
      throw new SpillException(
          memory.name() + " could not write a sorted run: " + e.getMessage(), e);
    }
  }
}
