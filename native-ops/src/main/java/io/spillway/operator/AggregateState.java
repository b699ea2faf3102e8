package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SpillSegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The tables of one aggregation: the one that takes the input and, while a spilled partition is
 * merged, one more a level. Hands the groups out page by page.
 *
 * <p>A partition whose groups cannot repeat is handed out as it is. Any other is merged first: its
 * segments go into a table of the next bits of the hash, which may spill in its turn. Used by the
 * task's thread alone.
 */
final class AggregateState {
  private static final int FEWEST_BITS = 2;

  /**
   * A table that hands out what it has when it is full comes and goes: pages of this size are
   * reused without asking the operating system, and few of them lie half empty.
   */
  private static final int PASSING_PAGE_BYTES = 64 << 10;

  private final OperatorContext context;
  private final OperatorMemory memory;
  private final AggregateLayout layout;
  private final long scratch;
  private final boolean merged;
  private final AggregateTable top;
  private final Deque<Level> levels = new ArrayDeque<>();

  /** A table whose partitions are being handed out. */
  private static final class Level {
    final AggregateTable table;
    final Deque<RowPartition> waiting = new ArrayDeque<>();
    RowPartition inMemory;
    PageReader reading;

    Level(AggregateTable table) {
      this.table = table;
    }
  }

  /**
   * @param room where the input's table gets its room
   * @param merged whether the groups handed out must not repeat
   */
  AggregateState(
      OperatorContext context, AggregateSpec spec, RowPartitions.Room room, boolean merged) {
    this.context = context;
    this.memory = context.memory();
    this.merged = merged;
    NativeBlock arena = memory.allocate(Abi.AGG_SCRATCH_BYTES + AggregateLayout.bytes(spec));
    this.scratch = arena.address();
    this.layout = new AggregateLayout(spec, scratch + Abi.AGG_SCRATCH_BYTES);
    int bits = 0;
    if (spec.hasKeys()) {
      bits = merged ? Math.max(FEWEST_BITS, context.budget().partitionBits()) : FEWEST_BITS;
    }
    int pageBytes = RowPartitions.largestPageBytes(context.budget(), bits);
    this.top =
        new AggregateTable(
            context,
            room,
            layout,
            scratch,
            bits,
            0,
            merged ? pageBytes : Math.min(pageBytes, PASSING_PAGE_BYTES));
  }

  AggregateLayout layout() {
    return layout;
  }

  /** The table that takes the input. */
  AggregateTable table() {
    return top;
  }

  /** Spills what can be spilled, the tables that are needed last first. */
  long spill(long bytes) {
    long freed = 0;
    if (levels.isEmpty()) {
      freed = top.spill(bytes);
    }
    for (var outermost = levels.descendingIterator(); outermost.hasNext() && freed < bytes; ) {
      freed += outermost.next().table.spill(bytes - freed);
    }
    return freed;
  }

  /** Starts to hand the groups out; no input is added until {@link #nextPage()} returned null. */
  void startOutput() {
    push(top);
  }

  private void push(AggregateTable table) {
    Level level = new Level(table);
    // Handing out what is in memory first makes room for merging the rest.
    for (RowPartition partition : table.partitions()) {
      if (partition.segments().isEmpty()) {
        level.waiting.addFirst(partition);
      } else {
        level.waiting.addLast(partition);
      }
    }
    levels.push(level);
  }

  /**
   * The next page of groups, owned by the caller; null when all are handed out, and the state is
   * empty again then.
   */
  NativeBlock nextPage() {
    while (!levels.isEmpty()) {
      Level level = levels.peek();
      NativeBlock page = level.reading != null ? level.reading.next() : pageInMemory(level);
      if (page != null) {
        return page;
      }
      if (level.reading != null) {
        level.reading.close();
        level.reading = null;
      } else if (level.waiting.isEmpty()) {
        levels.pop();
        finish(level.table);
      } else {
        open(level, level.waiting.removeFirst());
      }
    }
    return null;
  }

  private static NativeBlock pageInMemory(Level level) {
    RowPartition partition = level.inMemory;
    if (partition == null) {
      return null;
    }
    if (partition.hasPages()) {
      return partition.takePage();
    }
    level.inMemory = null;
    if (!partition.segments().isEmpty()) {
      // The rest of it was spilled while it was handed out; its groups do not repeat.
      level.waiting.addFirst(partition);
    }
    return null;
  }

  private void open(Level level, RowPartition partition) {
    if (merged && !partition.isUnique()) {
      if (partition.hasPages()) {
        level.table.spill(partition);
      }
      merge(level, partition);
    } else if (partition.segments().isEmpty()) {
      level.inMemory = partition;
    } else {
      level.reading = reader(level.table, takeSegments(partition));
      // Segments first, then what of it is still in memory.
      level.inMemory = partition;
    }
  }

  private PageReader reader(AggregateTable table, List<SpillSegment> segments) {
    return new PageReader(memory, table::checkPage, table.file(), segments);
  }

  private static List<SpillSegment> takeSegments(RowPartition partition) {
    List<SpillSegment> segments = new ArrayList<>(partition.segments());
    partition.segments().clear();
    return segments;
  }

  private void merge(Level level, RowPartition partition) {
    List<SpillSegment> segments = takeSegments(partition);
    int shift = level.table.usedBits();
    int bits = Math.min(context.budget().partitionBits(), Long.SIZE - 1 - shift);
    if (bits < 1 && shift >= Long.SIZE - FEWEST_BITS) {
      throw new IllegalStateException(
          memory.name() + " has used all bits of the hash and a partition still does not fit");
    }
    int levelBits = Math.max(FEWEST_BITS, bits);
    AggregateTable table =
        new AggregateTable(
            context,
            memory::allocate,
            layout,
            scratch,
            levelBits,
            shift,
            RowPartitions.largestPageBytes(context.budget(), levelBits));
    Level merging = new Level(table);
    levels.push(merging);
    try (PageReader pages = reader(level.table, segments)) {
      for (NativeBlock page = pages.next(); page != null; page = pages.next()) {
        try (NativeBlock owned = page) {
          table.mergePage(owned.address());
        }
      }
    }
    levels.pop();
    push(table);
  }

  private void finish(AggregateTable table) {
    if (table == top) {
      table.reset();
    } else {
      table.close();
    }
  }
}
