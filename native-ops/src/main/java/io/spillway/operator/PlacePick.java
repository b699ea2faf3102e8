package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.FrameAbi;
import io.spillway.kernel.FrameKernels;
import org.apache.spark.unsafe.Platform;

/**
 * Reads a column of rows of a tape by their numbers, which ascend. Values are valid until the next
 * call; long strings lie in the page, which stays in memory. Its memory is the operator's. Used by
 * the task's thread alone.
 */
final class PlacePick {
  private final TapeCursor cursor;
  private final RowGather gather;
  private final long block;
  private final long handles;
  private final long partition;
  private final long pages;

  /**
   * @param column of the tape's rows
   * @param maxRows the most rows of one reading
   */
  PlacePick(RowTape tape, int column, int maxRows) {
    cursor = new TapeCursor(tape);
    gather = new RowGather(tape.memory(), tape.layout(), new int[] {column}, maxRows);
    Arena at =
        new Arena(
            tape.memory()
                .allocate(FrameAbi.PICK_SIZE + 8L * maxRows + Abi.PARTITION_SIZE + 8 + 64)
                .address());
    block = at.take(FrameAbi.PICK_SIZE);
    handles = at.take(8L * maxRows);
    partition = at.take(Abi.PARTITION_SIZE);
    pages = at.take(8);
    Platform.setMemory(block, (byte) 0, FrameAbi.PICK_SIZE);
    Platform.putLong(null, block + FrameAbi.PICK_HANDLES, handles);
    Platform.putInt(null, block + FrameAbi.PICK_ROW_WIDTH, tape.layout().rowWidth());
    // Handles name rows of a store's pages: this store has the one page that the cursor is in.
    Platform.setMemory(partition, (byte) 0, Abi.PARTITION_SIZE);
    Platform.putLong(null, partition + Abi.PARTITION_PAGES, pages);
  }

  /**
   * Reads the values of as many of the next rows as lie in one page.
   *
   * @param places address of 64-bit row numbers, -1 for none
   * @param rows how many, at least 1
   * @return how many were read, at least 1
   */
  int look(long places, int rows) {
    Platform.putLong(null, block + FrameAbi.PICK_PLACES, places);
    Platform.putInt(null, block + FrameAbi.PICK_ROWS, rows);
    int found = (int) FrameKernels.find(block);
    if (found == 0) {
      cursor.moveTo(Platform.getLong(null, places));
      Platform.putLong(null, pages, cursor.address());
      Platform.putInt(null, partition + Abi.PARTITION_NPAGES, 1);
      Platform.putLong(null, block + FrameAbi.PICK_FIRST, cursor.first());
      Platform.putInt(null, block + FrameAbi.PICK_PAGE_ROWS, (int) (cursor.end() - cursor.first()));
      found = (int) FrameKernels.find(block);
    }
    gather.fromHandles(partition, 1, handles, found);
    return found;
  }

  /** Points a view at the values read. */
  void view(int rows, NativeVector target) {
    gather.view(0, rows, target);
  }

  /** Leaves its page; the numbers start again. */
  void finish() {
    cursor.release();
    Platform.putInt(null, partition + Abi.PARTITION_NPAGES, 0);
    Platform.putInt(null, block + FrameAbi.PICK_PAGE_ROWS, 0);
  }
}
