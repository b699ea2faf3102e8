package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsAbi;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.NativeBlock;
import org.apache.spark.unsafe.Platform;

/**
 * Rows of any shape in pages, radix-partitioned by a hash that the caller computes (the layout is
 * in {@code spw_abi_rows.h}). Partitions have no index; {@link RowPartition#setIndex} gives them
 * one.
 *
 * <p>Between two kernel calls the store is whole, so {@link #partitions()} may be spilled at any
 * allocation; the rows that come later start new pages. Used by the task's thread alone.
 */
final class RowStore implements AutoCloseable {
  private final int usedBits;
  private final NativeBlock arena;
  private final long block;
  private final RowPartitions partitions;
  private final RowPartitions.Stop stop;

  /**
   * @param room where the pages come from
   * @param layout of the rows; outlives this
   * @param bits how many bits of the hash choose the partition, 0 to 6
   * @param shift how many bits the levels above have used
   */
  RowStore(
      OperatorContext context, RowPartitions.Room room, RowLayout layout, int bits, int shift) {
    this(
        context, room, layout, bits, shift, RowPartitions.largestPageBytes(context.budget(), bits));
  }

  /** The same with pages that are not larger than said, but for a row that needs more. */
  RowStore(
      OperatorContext context,
      RowPartitions.Room room,
      RowLayout layout,
      int bits,
      int shift,
      int largestPageBytes) {
    this.usedBits = bits + shift;
    this.arena =
        context.memory().allocate(RowsAbi.ROWS_SIZE + (long) (1 << bits) * Abi.PARTITION_SIZE);
    this.block = arena.address();
    long structs = block + RowsAbi.ROWS_SIZE;
    partitions =
        new RowPartitions(context, room, structs, bits, layout.rowWidth(), largestPageBytes);
    stop =
        new RowPartitions.Stop(
            block + RowsAbi.ROWS_ROWS_DONE,
            block + RowsAbi.ROWS_NEED_PARTITION,
            block + RowsAbi.ROWS_NEED);
    Platform.setMemory(block, (byte) 0, RowsAbi.ROWS_SIZE);
    Platform.putLong(null, block + RowsAbi.ROWS_LAYOUT, layout.address());
    Platform.putLong(null, block + RowsAbi.ROWS_PARTITIONS, structs);
    Platform.putInt(null, block + RowsAbi.ROWS_NCOLUMNS, layout.columns());
    Platform.putInt(null, block + RowsAbi.ROWS_ROW_WIDTH, layout.rowWidth());
    Platform.putInt(null, block + RowsAbi.ROWS_PARTITION_BITS, bits);
    Platform.putInt(null, block + RowsAbi.ROWS_HASH_SHIFT, shift);
  }

  /**
   * Says where the columns of the next {@link #append} lie.
   *
   * @param columns address of one {@code spw_column} a column of the layout
   * @param hashes address of a 64-bit hash for each of the columns' rows; 0: all are 0
   * @param selection address of {@code rows} 32-bit row numbers; 0: all rows in turn
   * @param rows rows in the columns, or in the selection
   */
  void setInput(long columns, long hashes, long selection, int rows) {
    Platform.putLong(null, block + RowsAbi.ROWS_COLUMNS, columns);
    Platform.putLong(null, block + RowsAbi.ROWS_HASHES, hashes);
    Platform.putLong(null, block + RowsAbi.ROWS_SELECTION, selection);
    Platform.putInt(null, block + RowsAbi.ROWS_ROWS, rows);
  }

  /**
   * Appends the input's rows from {@code start} on.
   *
   * @return the rows that are in: all of them, or fewer if the store was refused room
   */
  int append(int start) {
    return (int) partitions.fill(start, from -> RowsKernels.append(block, from), stop);
  }

  /** Refuses a page whose header or strings point outside of it. */
  void checkPage(long page, int capacity) {
    RowsKernels.check(block, page, capacity);
  }

  RowPartitions partitions() {
    return partitions;
  }

  /** Address of the first {@code spw_partition}; the others follow. */
  long structs() {
    return block + RowsAbi.ROWS_SIZE;
  }

  /** Bits of the hash that this store and those above it have used. */
  int usedBits() {
    return usedBits;
  }

  @Override
  public void close() {
    partitions.clear();
    arena.close();
  }
}
