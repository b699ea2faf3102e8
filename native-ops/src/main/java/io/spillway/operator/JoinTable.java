package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.JoinAbi;
import io.spillway.kernel.JoinKernels;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.SharedRegion;
import io.spillway.memory.spill.SpillSegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * The build side of a join, or a part of it: rows in radix partitions, and a hash index for each
 * partition that is looked up in.
 *
 * <p>Under pressure the indexes go first, once each, because the pages hold all that they hold;
 * then whole partitions, largest first. A partition of which anything is on disk is
 * <em>absent</em>: probe rows that it may match wait until it is joined by itself.
 *
 * <p>Of {@linkplain SharedPartitions shared partitions} it has those that it {@linkplain #load
 * loads}; they are given up without being written, as they are on disk already. Used by the task's
 * thread alone.
 */
final class JoinTable implements ProbeTable, AutoCloseable {
  private static final int FEWEST_BITS = 2;

  private final OperatorMemory memory;
  private final RowStore store;
  private final JoinSpec spec;
  private final NativeBlock arena;
  private final long block;
  private final long hashes;
  private final long keyless;
  private final long selection;
  private final int bits;
  private final int shift;
  private final long[] rows;

  /** Where its rows come from, and are when they are absent; null: they are its own. */
  private final SharedReading shared;

  private boolean filling = true;
  private long absent;

  /** Partitions whose index was given up for others before, a bit each. */
  private long gaveIndex;

  private long seed;
  private boolean hasNullKeys;

  /**
   * @param bits how many bits of the hash choose the partition
   * @param shift how many bits the tables above have used
   */
  JoinTable(JoinFrame frame, int bits, int shift) {
    this(frame, bits, shift, null);
  }

  /**
   * A table of shared partitions, all of which are absent at first. No row is added to it.
   *
   * @param shared it becomes the owner
   */
  JoinTable(JoinFrame frame, SharedReading shared) {
    this(frame, shared.partitions().bits(), 0, shared);
    if (spec.kind().keepsBuild()) {
      throw new IllegalStateException("shared rows cannot be marked as " + spec + " must");
    }
    filling = false;
    hasNullKeys = shared.partitions().hasNullKeys();
    for (int i = 0; i < rows.length; i++) {
      rows[i] = shared.partitions().rows(i);
      absent |= rows[i] > 0 ? 1L << i : 0;
    }
  }

  private JoinTable(JoinFrame frame, int bits, int shift, SharedReading shared) {
    this.shared = shared;
    this.memory = frame.memory();
    this.spec = frame.spec();
    this.bits = bits;
    this.shift = shift;
    this.rows = new long[1 << bits];
    this.store = new RowStore(frame.context(), memory::allocate, frame.buildLayout(), bits, shift);
    int maxRows = frame.maxRows();
    arena = memory.allocate(JoinAbi.JOIN_SIZE + 13L * maxRows + 64);
    Arena at = new Arena(arena.address());
    block = at.take(JoinAbi.JOIN_SIZE);
    hashes = at.take(8L * maxRows);
    keyless = at.take(maxRows);
    selection = at.take(4L * maxRows);
    describe(block, frame);
  }

  /** How many bits choose the partition of a whole build side in the memory that its task has. */
  static int bits(OperatorContext context) {
    return Math.max(FEWEST_BITS, context.budget().partitionBits());
  }

  @Override
  public void describe(long join, JoinFrame frame) {
    RowLayout layout = frame.buildLayout();
    Platform.setMemory(join, (byte) 0, JoinAbi.JOIN_SIZE);
    Platform.putLong(null, join + JoinAbi.JOIN_KEY_LAYOUT, layout.address());
    Platform.putLong(null, join + JoinAbi.JOIN_PARTITIONS, store.structs());
    Platform.putInt(null, join + JoinAbi.JOIN_NKEYS, spec.keys());
    Platform.putInt(null, join + JoinAbi.JOIN_ROW_WIDTH, layout.rowWidth());
    Platform.putInt(null, join + JoinAbi.JOIN_LINK_OFFSET, layout.offset(spec.linkColumn()));
    Platform.putInt(null, join + JoinAbi.JOIN_PARTITION_BITS, bits);
    Platform.putInt(null, join + JoinAbi.JOIN_HASH_SHIFT, shift);
  }

  // ---- filling

  /**
   * Adds build rows. Those with a null key match nothing, so they are kept only for an outer join.
   */
  void add(BuildRows source) {
    int count = source.rows();
    RowsKernels.hash(source.columns(), spec.keys(), count, hashes, keyless);
    long selected = 0;
    if (spec.kind().keepsBuild()) {
      JoinKernels.spread(keyless, count, hashes, seed);
      seed += count;
    } else {
      int keyed = (int) JoinKernels.having(keyless, count, 1, selection);
      hasNullKeys |= keyed < count;
      selected = keyed == count ? 0 : selection;
      count = keyed;
    }
    store.setInput(source.columns(), hashes, selected, count);
    if (store.append(0) < count) {
      throw new IllegalStateException("build rows are stored by the ladder and not refused room");
    }
  }

  /** Adds a page that was read back, of which it becomes the owner; for tables of one partition. */
  void addPage(NativeBlock page) {
    store.partitions().adopt(store.partitions().get(0), page);
  }

  /** Ends the filling: what is absent is written whole. */
  void filled() {
    for (int i = 0; i < rows.length; i++) {
      RowPartition partition = partition(i);
      if (!partition.segments().isEmpty() && partition.hasPages()) {
        spill(i);
      }
      rows[i] += partition.rows();
    }
    filling = false;
  }

  /**
   * Ends the filling: everything is written, and belongs to those who share the region. Nothing is
   * looked up here.
   */
  SharedPartitions share(SharedRegion region) {
    List<List<SpillSegment>> segments = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      if (partition(i).hasPages()) {
        spill(i);
      }
      segments.add(segments(i));
    }
    filling = false;
    return new SharedPartitions(
        bits, rows, segments, hasNullKeys, store.partitions().handOver(region));
  }

  /** Reads shared partitions into memory, as many as {@link SharedReading#load} has room for. */
  void load() {
    boolean room = true;
    for (int i = 0; i < rows.length && room; i++) {
      memory.batchBoundary();
      if (isAbsent(i)) {
        room = shared.load(store, i);
        if (room) {
          absent &= ~(1L << i);
        }
      }
    }
  }

  // ---- looking up

  @Override
  public long absent() {
    return absent;
  }

  @Override
  public long structs() {
    return store.structs();
  }

  @Override
  public int partitions() {
    return rows.length;
  }

  RowPartition partition(int number) {
    return store.partitions().get(number);
  }

  @Override
  public int partitionOf(long hash) {
    return bits == 0 ? 0 : (int) (hash << shift >>> (Long.SIZE - bits));
  }

  boolean isAbsent(int partition) {
    return (absent >>> partition & 1) != 0;
  }

  /** Rows that it was filled with, those that were spilled included. */
  long rows() {
    long sum = 0;
    for (long each : rows) {
      sum += each;
    }
    return sum;
  }

  /** Whether a row with a null key was left out. */
  boolean hasNullKeys() {
    return hasNullKeys;
  }

  long rows(int partition) {
    return rows[partition];
  }

  /**
   * Gives a partition its index. If there is no room for it, partitions are spilled until there is,
   * the largest first; if that is this one, it is absent afterwards.
   *
   * @param slots that it needs
   */
  @Override
  public void index(int number, long slots) {
    RowPartition partition = partition(number);
    NativeBlock room = null;
    // Other indexes are not dropped for it: all of them are needed at the same time.
    while (room == null && partition.hasPages()) {
      room = memory.withoutSpilling(() -> memory.tryAllocate(8 * slots));
      if (room == null) {
        spillLargest(0);
      }
    }
    if (room != null) {
      fill(number, room, slots);
    }
  }

  /** Gives the only partition its index, by the whole ladder; nothing else can be given up. */
  void indexAll() {
    RowPartition partition = partition(0);
    long slots = slotsFor(partition.rows());
    fill(0, memory.allocate(8 * slots), slots);
  }

  /** The slots of an index over so many rows. */
  static long slotsFor(long rows) {
    long slots = Abi.AGG_MIN_INDEX_SLOTS;
    while ((rows + 1) * 3 > slots * 2) {
      slots *= 2;
    }
    return slots;
  }

  private void fill(int number, NativeBlock room, long slots) {
    RowPartition partition = partition(number);
    Platform.setMemory(room.address(), (byte) 0, 8 * slots);
    partition.placeIndex(room, slots);
    for (int page = 0; page < partition.pages(); page++) {
      JoinKernels.index(block, number, page);
    }
  }

  // ---- giving memory back

  /**
   * Gives memory back: each index once, then whole partitions. Two joins of one task that only took
   * each other's indexes away would make them again and again.
   *
   * @param pinned partitions that must stay in memory now, a bit each
   * @return the bytes freed
   */
  long spill(long wanted, long pinned) {
    long freed = 0;
    for (int i = 0; i < rows.length && freed < wanted; i++) {
      long bit = 1L << i;
      if ((gaveIndex & bit) == 0 || (pinned & bit) != 0) {
        long before = partition(i).bytes();
        partition(i).dropIndex();
        long gave = before - partition(i).bytes();
        gaveIndex |= gave > 0 ? bit : 0;
        freed += gave;
      }
    }
    while (freed < wanted) {
      long bytes = spillLargest(pinned);
      if (bytes == 0) {
        break;
      }
      freed += bytes;
    }
    return freed;
  }

  private long spillLargest(long pinned) {
    int largest = -1;
    for (int i = 0; i < rows.length; i++) {
      if ((pinned >>> i & 1) == 0
          && partition(i).hasPages()
          && (largest < 0 || partition(i).bytes() > partition(largest).bytes())) {
        largest = i;
      }
    }
    return largest < 0 ? 0 : spill(largest);
  }

  private long spill(int number) {
    absent |= 1L << number;
    RowPartition partition = partition(number);
    if (shared != null) {
      long bytes = partition.bytes();
      partition.dropPages();
      return bytes;
    }
    if (filling) {
      rows[number] += partition.rows();
    }
    return store.partitions().spill(partition);
  }

  // ---- afterwards

  /** The segments of a partition; what of an absent one was in memory is there too. */
  List<SpillSegment> segments(int number) {
    return shared == null
        ? List.copyOf(partition(number).segments())
        : shared.partitions().segments(number);
  }

  /** Reads segments of this table. */
  PageReader reader(List<SpillSegment> segments) {
    return shared != null
        ? shared.reader(store::checkPage, segments, memory::allocate)
        : new PageReader(memory, store::checkPage, store.partitions().file(), segments);
  }

  /** Frees a partition; its segments are forgotten, and stay in the file until this is closed. */
  void clear(int number) {
    partition(number).clear();
  }

  int usedBits() {
    return bits + shift;
  }

  @Override
  public void close() {
    store.close();
    arena.close();
    if (shared != null) {
      shared.close();
    }
  }
}
