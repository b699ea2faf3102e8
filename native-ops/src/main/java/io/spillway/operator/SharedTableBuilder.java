package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.JoinAbi;
import io.spillway.kernel.JoinKernels;
import io.spillway.kernel.RowsAbi;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.SharedRegion;
import org.apache.spark.unsafe.Platform;

/**
 * Fills a {@link SharedTable} with build rows. What it works with is its task's, what it makes is
 * shared. Used by one thread, once.
 */
final class SharedTableBuilder implements AutoCloseable {
  private final JoinFrame frame;
  private final NativeBlock arena;
  private final long block;
  private final long join;
  private final long hashes;
  private final long keyless;
  private final long selection;

  SharedTableBuilder(JoinFrame frame) {
    this.frame = frame;
    int maxRows = frame.maxRows();
    Arena size = new Arena(0);
    size.take(RowsAbi.ROWS_SIZE);
    size.take(JoinAbi.JOIN_SIZE);
    size.take(13L * maxRows + 64);
    arena = frame.memory().allocate(size.used());
    Arena at = new Arena(arena.address());
    block = at.take(RowsAbi.ROWS_SIZE);
    join = at.take(JoinAbi.JOIN_SIZE);
    hashes = at.take(8L * maxRows);
    keyless = at.take(maxRows);
    selection = at.take(4L * maxRows);
  }

  /**
   * Builds the table.
   *
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if the executor has no room for it, or
   *     the task none for what the rows are read with; the region is the caller's to free
   */
  SharedTable build(SharedRegion region, BuildRows source) {
    SharedTable table = new SharedTable(region);
    RowLayout layout = frame.buildLayout();
    Platform.setMemory(block, (byte) 0, RowsAbi.ROWS_SIZE);
    Platform.putLong(null, block + RowsAbi.ROWS_LAYOUT, layout.address());
    Platform.putLong(null, block + RowsAbi.ROWS_PARTITIONS, table.structs());
    Platform.putInt(null, block + RowsAbi.ROWS_NCOLUMNS, layout.columns());
    Platform.putInt(null, block + RowsAbi.ROWS_ROW_WIDTH, layout.rowWidth());
    while (source.next()) {
      add(table, source);
    }
    table.filled(frame, join);
    return table;
  }

  private void add(SharedTable table, BuildRows source) {
    int count = source.rows();
    RowsKernels.hash(source.columns(), frame.spec().keys(), count, hashes, keyless);
    int keyed = (int) JoinKernels.having(keyless, count, 1, selection);
    if (keyed < count) {
      table.addNullKey();
    }
    Platform.putLong(null, block + RowsAbi.ROWS_COLUMNS, source.columns());
    Platform.putLong(null, block + RowsAbi.ROWS_HASHES, hashes);
    Platform.putLong(null, block + RowsAbi.ROWS_SELECTION, keyed == count ? 0 : selection);
    Platform.putInt(null, block + RowsAbi.ROWS_ROWS, keyed);
    long done = 0;
    while (RowsKernels.append(block, done) == Abi.NEEDS_PAGE) {
      done = Platform.getLong(null, block + RowsAbi.ROWS_ROWS_DONE);
      table.addPage(Platform.getLong(null, block + RowsAbi.ROWS_NEED));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
