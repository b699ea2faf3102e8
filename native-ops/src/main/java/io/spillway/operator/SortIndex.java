package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.SortAbi;
import io.spillway.kernel.SortKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.spark.unsafe.Platform;

/**
 * Entries over the rows that a sort has in memory, in blocks of which each is sorted as it fills
 * and is one sorted run. A block and the room to sort it are small enough for the processor's
 * cache, and are there before the rows that they are for: nothing is allocated to spill. Used by
 * the task's thread alone.
 */
final class SortIndex {
  private static final int FIRST_ENTRIES = 512;
  private static final int MOST_ENTRIES = 32768;

  private final OperatorMemory memory;
  private final IntConsumer runsToCome;
  private final long block;
  private final long partition;
  private final int largestEntries;
  private final List<Entries> full = new ArrayList<>();
  private Entries current;
  private NativeBlock scratch;
  private int nextPage;
  private int nextRow;

  /** A block of entries. */
  static final class Entries {
    private final NativeBlock block;
    private final int capacity;
    private int count;

    private Entries(NativeBlock block, int capacity) {
      this.block = block;
      this.capacity = capacity;
    }

    long address() {
      return block.address();
    }

    int count() {
      return count;
    }
  }

  /**
   * @param block a {@code spw_sort} that describes rows and keys
   * @param partition address of the {@code spw_partition} with the rows
   * @param runsToCome told how many runs there may be, before there are so many
   */
  SortIndex(OperatorContext context, long block, long partition, IntConsumer runsToCome) {
    this.memory = context.memory();
    this.block = block;
    this.partition = partition;
    this.runsToCome = runsToCome;
    long fitting = context.budget().shareBytes() / 16 / SortAbi.ENTRY_SIZE;
    largestEntries =
        (int) Long.highestOneBit(Math.max(FIRST_ENTRIES, Math.min(MOST_ENTRIES, fitting)));
  }

  /**
   * Makes room for at least one row more; this may spill the operator.
   *
   * @return for how many
   */
  int makeRoom() {
    while (current == null || current.count == current.capacity) {
      if (current != null) {
        sort(current);
        full.add(current);
        current = null;
      }
      int last = full.isEmpty() ? FIRST_ENTRIES / 4 : full.get(full.size() - 1).capacity;
      addBlock(Math.min(largestEntries, 4 * last));
    }
    return current.capacity - current.count;
  }

  private void addBlock(int entries) {
    runsToCome.accept(full.size() + 1);
    long bytes = (long) entries * SortAbi.ENTRY_SIZE;
    if (scratch == null || scratch.size() < bytes) {
      NativeBlock larger = memory.allocate(bytes);
      if (scratch != null) {
        scratch.close();
      }
      scratch = larger;
    }
    NativeBlock fresh = memory.allocate(bytes);
    if (current == null) {
      current = new Entries(fresh, entries);
    } else {
      // Spilled on the way, which leaves an empty block.
      fresh.close();
    }
  }

  /** Takes in the rows that have come to the partition's pages; there must be room for them. */
  void take() {
    int pages = Platform.getInt(null, partition + Abi.PARTITION_NPAGES);
    while (nextPage < pages) {
      long directory = Platform.getLong(null, partition + Abi.PARTITION_PAGES);
      long page = Platform.getLong(null, directory + 8L * nextPage);
      int rows = Platform.getInt(null, page + Abi.PAGE_ROWS);
      if (nextRow < rows) {
        long entries = current.address() + (long) current.count * SortAbi.ENTRY_SIZE;
        int room = current.capacity - current.count;
        int taken = (int) SortKernels.index(block, nextPage, nextRow, entries, room);
        current.count += taken;
        nextRow += taken;
        if (nextRow < rows) {
          throw new IllegalStateException("more rows than the index of the sort has room for");
        }
      }
      if (nextPage == pages - 1) {
        return;
      }
      nextPage++;
      nextRow = 0;
    }
  }

  /** Sorts what is in the block at hand; afterwards every block is a sorted run. */
  void sortLast() {
    if (current != null && scratch != null) {
      sort(current);
    }
  }

  private void sort(Entries entries) {
    SortKernels.entries(block, entries.address(), scratch.address(), entries.count);
  }

  /** The sorted runs, after {@link #sortLast}. */
  List<Entries> runs() {
    List<Entries> runs = new ArrayList<>(full);
    if (current != null && current.count > 0) {
      runs.add(current);
    }
    return runs;
  }

  /** Bytes of the entries. */
  long bytes() {
    long sum = current == null ? 0 : current.block.size();
    for (Entries entries : full) {
      sum += entries.block.size();
    }
    return sum;
  }

  /** The rows are gone: forgets the entries, and keeps one block for those to come. */
  void rowsGone() {
    full.forEach(entries -> entries.block.close());
    full.clear();
    if (current != null) {
      current.count = 0;
    }
    nextPage = 0;
    nextRow = 0;
  }

  /** After {@link #sortLast}: nothing will be added any more. */
  void endOfRows() {
    if (scratch != null) {
      scratch.close();
      scratch = null;
    }
  }

  /** After {@link #endOfRows}: the rows are gone, and no more will come. */
  void free() {
    rowsGone();
    if (current != null) {
      current.block.close();
      current = null;
    }
  }
}
