package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.SortAbi;
import io.spillway.kernel.SortKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * A merge of sorted runs, in memory and on disk: a {@code spw_sort} with its runs and its tree. The
 * slots of runs keep their numbers from {@link #clear} to {@link #clear}, so a run may end or come
 * in at any allocation. Used by the task's thread alone; its memory is the operator's.
 */
final class SortMerge {
  private static final int SMALLEST_CAPACITY = 16;

  private final OperatorMemory memory;
  private final long block;
  private NativeBlock room;
  private int capacity;
  private SpilledRun[] spilled = new SpilledRun[0];
  private int runs;
  private boolean started;

  /**
   * @param block address of a {@code spw_sort} of its own
   */
  SortMerge(OperatorMemory memory, long block) {
    this.memory = memory;
    this.block = block;
  }

  /** Makes room for so many runs; what was added before is lost. May spill the operator. */
  void reserve(int most) {
    if (most <= capacity) {
      return;
    }
    int larger = Math.max(SMALLEST_CAPACITY, Math.max(most, 2 * capacity));
    NativeBlock fresh = memory.allocate((long) larger * (SortAbi.RUN_SIZE + 4) + 8);
    if (room != null) {
      room.close();
    }
    room = fresh;
    capacity = larger;
    spilled = new SpilledRun[larger];
    Platform.putLong(null, block + SortAbi.SORT_RUNS, fresh.address());
    Platform.putLong(
        null, block + SortAbi.SORT_TREE, fresh.address() + (long) larger * SortAbi.RUN_SIZE);
    clear();
  }

  /** Forgets all runs. */
  void clear() {
    runs = 0;
    started = false;
    Platform.putInt(null, block + SortAbi.SORT_NRUNS, 0);
  }

  /** Adds entries {@code [from, count)} over the rows in memory. */
  void addEntries(long entries, int from, int count) {
    long run = add(null);
    Platform.putLong(null, run + SortAbi.RUN_ENTRIES, entries);
    Platform.putInt(null, run + SortAbi.RUN_NEXT, from);
    Platform.putInt(null, run + SortAbi.RUN_COUNT, count);
  }

  /** Adds a run on disk from its page at hand, or from its first one; closes it at its end. */
  void addSpilled(SpilledRun source) {
    long run = add(source);
    if (source.isOpen()) {
      putPage(run, source);
    }
  }

  private long add(SpilledRun source) {
    if (runs == capacity) {
      throw new IllegalStateException("a merge of more than " + capacity + " runs");
    }
    spilled[runs] = source;
    long run = run(runs++);
    Platform.setMemory(run, (byte) 0, SortAbi.RUN_SIZE);
    Platform.putInt(null, block + SortAbi.SORT_NRUNS, runs);
    started = false;
    return run;
  }

  /**
   * Hands what is left of the runs in memory to another merge, and ends them here.
   *
   * @param target has room for as many
   */
  void moveEntriesTo(SortMerge target) {
    for (int i = 0; i < runs; i++) {
      long run = run(i);
      long entries = Platform.getLong(null, run + SortAbi.RUN_ENTRIES);
      if (entries == 0) {
        continue;
      }
      boolean hasHead = Platform.getLong(null, run + SortAbi.RUN_ROW) != 0;
      int next = Platform.getInt(null, run + SortAbi.RUN_NEXT) - (hasHead ? 1 : 0);
      int count = Platform.getInt(null, run + SortAbi.RUN_COUNT);
      if (next < count) {
        target.addEntries(entries, next, count);
      }
      Platform.putInt(null, run + SortAbi.RUN_NEXT, count);
      Platform.putLong(null, run + SortAbi.RUN_ROW, 0);
    }
    started = false;
  }

  /** Whether nothing was added. */
  boolean isEmpty() {
    return runs == 0;
  }

  /**
   * Appends the next rows in order to an empty page.
   *
   * @return how many; 0 at the end; -1 if the next row needs a larger page: it is to be read at
   *     {@link #headRow}, and {@link #skip} drops it
   */
  int fill(long page, int maxRows) {
    while (true) {
      boolean starting = !started;
      started = true;
      long result = starting ? SortKernels.start(block) : SortKernels.merge(block, page, maxRows);
      if (result == Abi.NEEDS_PAGE) {
        started &= !starting;
        nextPage(Platform.getInt(null, block + SortAbi.SORT_NEED_RUN));
      } else if (!starting) {
        return result == Abi.NEEDS_BYTES ? -1 : Platform.getInt(null, page + Abi.PAGE_ROWS);
      }
    }
  }

  private void nextPage(int number) {
    // May spill the operator, which ends runs in memory and adds one on disk behind the others.
    boolean more = spilled[number].next();
    long run = run(number);
    if (more) {
      putPage(run, spilled[number]);
    } else {
      Platform.putInt(null, run + SortAbi.RUN_ENDED, 1);
    }
  }

  private static void putPage(long run, SpilledRun source) {
    Platform.putLong(null, run + SortAbi.RUN_PAGE, source.page());
    Platform.putInt(null, run + SortAbi.RUN_NEXT, 0);
    Platform.putInt(
        null, run + SortAbi.RUN_COUNT, Platform.getInt(null, source.page() + Abi.PAGE_ROWS));
    Platform.putLong(null, run + SortAbi.RUN_ROW, 0);
  }

  /** The page of the row that was too large, while it is the next one. */
  long headPage() {
    return Platform.getLong(null, head() + SortAbi.RUN_ROW_PAGE);
  }

  /** The address of the row that was too large, while it is the next one. */
  long headRow() {
    return Platform.getLong(null, head() + SortAbi.RUN_ROW);
  }

  private long head() {
    return run(Platform.getInt(null, block + SortAbi.SORT_NEED_RUN));
  }

  /** Drops the row that was too large. */
  void skip() {
    SortKernels.skip(block);
  }

  private long run(int number) {
    return room.address() + (long) number * SortAbi.RUN_SIZE;
  }
}
