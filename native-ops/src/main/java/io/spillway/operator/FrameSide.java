package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.FrameAbi;
import io.spillway.kernel.FrameKernels;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * Finds where frames by range begin, or where they end: a {@code spw_frame_side}. Both the keys and
 * the rows' bounds are on the tape; the keys are gone through once for all rows. Its memory is the
 * operator's. Used by the task's thread alone.
 */
final class FrameSide {
  private final OperatorMemory memory;
  private final TapeCursor cursor;
  private final RowGather keys;
  private final RowGather bounds;
  private final int maxRows;
  private final long block;

  /**
   * @param bound column of the tape that has the bounds
   * @param upper whether frames end here
   * @param from address of the 64-bit numbers of the frames' first rows
   * @param to address of those behind the frames' last rows
   */
  FrameSide(
      RowTape tape,
      TapeCursor cursor,
      MovingSpec.Range range,
      int bound,
      boolean upper,
      long from,
      long to,
      int maxRows) {
    this.memory = tape.memory();
    this.cursor = cursor;
    this.maxRows = maxRows;
    keys = new RowGather(memory, tape.layout(), new int[] {range.key()}, maxRows);
    bounds = new RowGather(memory, tape.layout(), new int[] {bound}, maxRows);
    block = memory.allocate(FrameAbi.SIDE_SIZE).address();
    Platform.setMemory(block, (byte) 0, FrameAbi.SIDE_SIZE);
    Platform.putLong(null, block + FrameAbi.SIDE_KEYS, keys.columns());
    Platform.putLong(null, block + FrameAbi.SIDE_BOUNDS, bounds.columns());
    // Their types are known before anything is read.
    NativeVector.describe(
        keys.columns(), tape.layout().type(range.key()), Abi.KIND_VECTOR, keys.values(0), 0);
    NativeVector.describe(
        bounds.columns(), tape.layout().type(bound), Abi.KIND_VECTOR, bounds.values(0), 0);
    Platform.putLong(null, block + FrameAbi.SIDE_FROM, from);
    Platform.putLong(null, block + FrameAbi.SIDE_TO, to);
    Platform.putInt(null, block + FrameAbi.SIDE_UPPER, upper ? 1 : 0);
    Platform.putInt(null, block + FrameAbi.SIDE_DESCENDING, range.descending() ? 1 : 0);
    Platform.putInt(null, block + FrameAbi.SIDE_NULLS_LAST, range.nullsLast() ? 1 : 0);
  }

  /**
   * Moves this side of the frames of the next rows, which are those of their partitions.
   *
   * @param place number of the first of the rows
   */
  void seek(long place, int rows) {
    Platform.putInt(null, block + FrameAbi.SIDE_ROWS, rows);
    loadBounds(place, 0, rows);
    int row = 0;
    while (row < rows) {
      row = (int) FrameKernels.seek(block, row);
      if (row < rows) {
        memory.batchBoundary();
        long key = Platform.getLong(null, block + FrameAbi.SIDE_AT);
        if (row >= endOfBounds()) {
          loadBounds(place, row, rows);
        } else if (!hasKey(key)) {
          loadKeys(key);
        }
      }
    }
    cursor.release();
  }

  private int endOfBounds() {
    return Platform.getInt(null, block + FrameAbi.SIDE_FIRST)
        + Platform.getInt(null, block + FrameAbi.SIDE_COUNT);
  }

  private boolean hasKey(long row) {
    long chunk = Platform.getLong(null, block + FrameAbi.SIDE_CHUNK);
    return row >= chunk && row < chunk + Platform.getInt(null, block + FrameAbi.SIDE_CHUNK_ROWS);
  }

  private void loadBounds(long place, int row, int rows) {
    cursor.moveTo(place + row);
    int count = (int) Math.min(rows - row, cursor.end() - place - row);
    bounds.fromPage(cursor.address(), (int) (place + row - cursor.first()), count);
    Platform.putInt(null, block + FrameAbi.SIDE_FIRST, row);
    Platform.putInt(null, block + FrameAbi.SIDE_COUNT, count);
  }

  private void loadKeys(long row) {
    cursor.moveTo(row);
    int count = (int) Math.min(maxRows, cursor.end() - row);
    keys.fromPage(cursor.address(), (int) (row - cursor.first()), count);
    Platform.putLong(null, block + FrameAbi.SIDE_CHUNK, row);
    Platform.putInt(null, block + FrameAbi.SIDE_CHUNK_ROWS, count);
  }

  /** The rows' numbers start again. */
  void finish() {
    Platform.putLong(null, block + FrameAbi.SIDE_AT, 0);
    Platform.putInt(null, block + FrameAbi.SIDE_CHUNK_ROWS, 0);
  }
}
