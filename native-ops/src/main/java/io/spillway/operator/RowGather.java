package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsAbi;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * Reads some columns of stored rows: a {@code spw_rows_out} with room for its values. What is read
 * is valid until the next reading; long strings lie in the rows' pages. Its memory is the
 * operator's. Used by the task's thread alone.
 */
final class RowGather {
  private final ColumnBuffer[] buffers;
  private final int[] types;
  private final long block;
  private final long columns;

  /**
   * @param layout of the rows
   * @param picks which of its columns are read, in this order
   * @param maxRows the most rows of one reading
   */
  RowGather(OperatorMemory memory, RowLayout layout, int[] picks, int maxRows) {
    long descriptors = (long) Math.max(1, picks.length) * Abi.COLUMN_SIZE;
    long picksBytes = 4L * Math.max(1, picks.length);
    Arena at = new Arena(memory.allocate(128 + descriptors + picksBytes).address());
    block = at.take(RowsAbi.OUT_SIZE);
    columns = at.take(descriptors);
    final long picked = at.take(picksBytes);
    buffers = new ColumnBuffer[picks.length];
    types = new int[picks.length];
    for (int i = 0; i < picks.length; i++) {
      types[i] = layout.type(picks[i]);
      Platform.putInt(null, picked + 4L * i, picks[i]);
      buffers[i] = ColumnBuffer.allocate(memory, types[i], maxRows);
    }
    Platform.setMemory(block, (byte) 0, RowsAbi.OUT_SIZE);
    Platform.putLong(null, block + RowsAbi.OUT_LAYOUT, layout.address());
    Platform.putLong(null, block + RowsAbi.OUT_PICKS, picked);
    Platform.putLong(null, block + RowsAbi.OUT_OUT, columns);
    Platform.putInt(null, block + RowsAbi.OUT_NCOLUMNS, layout.columns());
    Platform.putInt(null, block + RowsAbi.OUT_ROW_WIDTH, layout.rowWidth());
    Platform.putInt(null, block + RowsAbi.OUT_NOUT, picks.length);
  }

  /**
   * Reads the rows that handles name: {@code rows} of them, 64 bits each.
   *
   * @param structs address of the first {@code spw_partition} of the store
   * @param partitions how many it has
   */
  void fromHandles(long structs, int partitions, long handles, int rows) {
    Platform.putLong(null, block + RowsAbi.OUT_PARTITIONS, structs);
    Platform.putInt(null, block + RowsAbi.OUT_NPARTITIONS, partitions);
    Platform.putLong(null, block + RowsAbi.OUT_HANDLES, handles);
    gather(rows);
  }

  /** Reads rows {@code [first, first + rows)} of a page. */
  void fromPage(long page, int first, int rows) {
    Platform.putLong(null, block + RowsAbi.OUT_HANDLES, 0);
    Platform.putLong(null, block + RowsAbi.OUT_PAGE, page);
    Platform.putInt(null, block + RowsAbi.OUT_FIRST, first);
    gather(rows);
  }

  private void gather(int rows) {
    for (int i = 0; i < buffers.length; i++) {
      NativeVector.describe(
          column(i), types[i], Abi.KIND_VECTOR, buffers[i].values(), buffers[i].nulls());
    }
    Platform.putInt(null, block + RowsAbi.OUT_ROWS, rows);
    RowsKernels.gather(block);
  }

  /** How many columns are read. */
  int size() {
    return buffers.length;
  }

  /** Address of the {@code spw_column} of the first column read; the others follow. */
  long columns() {
    return columns;
  }

  /** Address of the values of a column read. */
  long values(int ordinal) {
    return buffers[ordinal].values();
  }

  /** Points a view at a column read. */
  NativeVector view(int ordinal, int rows, NativeVector target) {
    boolean nulls = Platform.getInt(null, column(ordinal) + Abi.COLUMN_HAS_NULLS) != 0;
    return target.pointTo(buffers[ordinal].values(), nulls ? buffers[ordinal].nulls() : 0, rows);
  }

  private long column(int ordinal) {
    return columns + (long) ordinal * Abi.COLUMN_SIZE;
  }
}
