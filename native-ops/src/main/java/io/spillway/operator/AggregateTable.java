package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.spill.SpillFile;
import org.apache.spark.unsafe.Platform;

/**
 * Groups and their states: a row store, radix-partitioned by the hash of the keys, with a hash
 * index a partition (the layout is in {@code spw_abi.h}).
 *
 * <p>Between two kernel calls the table is whole, so {@link #spill} may be called at any
 * allocation: it writes whole partitions, largest first, and the rows that come later start new
 * pages. Used by the task's thread alone.
 */
final class AggregateTable implements AutoCloseable {
  private final int bits;
  private final int shift;
  private final NativeBlock arena;
  private final long block;
  private final RowPartitions partitions;
  private final RowPartitions.Stop stop;

  /**
   * @param scratch address of {@link Abi#AGG_SCRATCH_BYTES} bytes that tables of one task share
   * @param bits how many bits of the hash choose the partition
   * @param shift how many bits the tables above have used
   * @param largestPageBytes of a page that holds more than one group
   */
  AggregateTable(
      OperatorContext context,
      RowPartitions.Room room,
      AggregateLayout layout,
      long scratch,
      int bits,
      int shift,
      int largestPageBytes) {
    this.bits = bits;
    this.shift = shift;
    int count = 1 << bits;
    this.arena = context.memory().allocate(Abi.AGG_SIZE + 8 + (long) count * Abi.PARTITION_SIZE);
    this.block = arena.address();
    long structs = block + Abi.AGG_SIZE;
    partitions =
        new RowPartitions(context, room, structs, bits, layout.rowWidth(), largestPageBytes);
    stop =
        new RowPartitions.Stop(
            block + Abi.AGG_ROWS_DONE, block + Abi.AGG_NEED_PARTITION, block + Abi.AGG_NEED);
    Platform.setMemory(block, (byte) 0, Abi.AGG_SIZE);
    Platform.putLong(null, block + Abi.AGG_KEY_LAYOUT, layout.keyLayout());
    Platform.putLong(null, block + Abi.AGG_FUNCTIONS, layout.functionLayout());
    Platform.putLong(null, block + Abi.AGG_PARTITIONS, structs);
    Platform.putLong(null, block + Abi.AGG_SCRATCH, scratch);
    Platform.putInt(null, block + Abi.AGG_NKEYS, layout.keys());
    Platform.putInt(null, block + Abi.AGG_NFUNCTIONS, layout.functions());
    Platform.putInt(null, block + Abi.AGG_ROW_WIDTH, layout.rowWidth());
    Platform.putInt(null, block + Abi.AGG_PARTITION_BITS, bits);
    Platform.putInt(null, block + Abi.AGG_HASH_SHIFT, shift);
  }

  /** Says where the columns of the next {@link #add} lie. */
  void setInput(long keys, long inputs, int inputCount, boolean merge, int rows) {
    Platform.putLong(null, block + Abi.AGG_KEYS, keys);
    Platform.putLong(null, block + Abi.AGG_INPUTS, inputs);
    Platform.putInt(null, block + Abi.AGG_NINPUTS, inputCount);
    Platform.putInt(null, block + Abi.AGG_MERGE, merge ? 1 : 0);
    Platform.putInt(null, block + Abi.AGG_ROWS, rows);
  }

  /**
   * Adds the input's rows from {@code start} on.
   *
   * @return the rows that are in: all of them, or fewer if the table was refused room
   */
  int add(int start) {
    return (int) partitions.fill(start, from -> Kernels.aggAdd(block, from), stop);
  }

  /**
   * Merges all rows of a page that another table spilled.
   *
   * @throws IllegalStateException if the table was refused room: merging tables use the ladder
   */
  void mergePage(long page) {
    int rows = Platform.getInt(null, page + Abi.PAGE_ROWS);
    if (partitions.fill(0, from -> Kernels.aggMergePage(block, page, from), stop) < rows) {
      throw new IllegalStateException("a merging table must not be refused room");
    }
  }

  /** Makes the only group of an aggregation without keys exist. */
  void initGroup() {
    partitions.fill(0, from -> Kernels.aggInitGroup(block), stop);
  }

  /** Refuses a page whose header or strings point outside of it. */
  void checkPage(long page, int capacity) {
    Kernels.pageCheck(block, page, capacity);
  }

  /** Bytes in memory that a spill would free. */
  long bytes() {
    return partitions.bytes();
  }

  /** Groups in memory. */
  long groups() {
    long sum = 0;
    for (RowPartition partition : partitions.all()) {
      sum += partition.rows();
    }
    return sum;
  }

  /** As {@link RowPartitions#spill(long)}. */
  long spill(long wanted) {
    return partitions.spill(wanted);
  }

  /** Spills one partition's pages. */
  long spill(RowPartition partition) {
    return partitions.spill(partition);
  }

  /** Where this table's spilled partitions are. */
  SpillFile file() {
    return partitions.file();
  }

  RowPartition[] partitions() {
    return partitions.all();
  }

  /** Bits of the hash that this table and those above it have used. */
  int usedBits() {
    return bits + shift;
  }

  /** Empties the table, the spilled part included. */
  void reset() {
    partitions.clear();
  }

  @Override
  public void close() {
    reset();
    arena.close();
  }
}
