package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.spill.SpillSegment;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Probe rows that are joined later, partitioned as the build side that they wait for. A stored row
 * has the column of its state, then the columns of the probe child. Used by the task's thread
 * alone.
 */
final class ProbeSpill implements AutoCloseable {
  static final int STATE_COLUMN = 0;
  static final int FIRST_COLUMN = 1;

  private final RowStore store;
  private final int columnCount;
  private final NativeBlock arena;
  private final long columns;
  private final long unmatched;

  /** Kernel types of a stored row's columns. */
  static int[] rowTypes(JoinSpec spec) {
    int[] types = new int[FIRST_COLUMN + spec.probeTypes().length];
    types[STATE_COLUMN] = Abi.T_BOOL;
    System.arraycopy(spec.probeTypes(), 0, types, FIRST_COLUMN, spec.probeTypes().length);
    return types;
  }

  ProbeSpill(JoinFrame frame, int bits, int shift) {
    columnCount = frame.probeLayout().columns();
    store =
        new RowStore(frame.context(), frame.memory()::allocate, frame.probeLayout(), bits, shift);
    arena = frame.memory().allocate((long) columnCount * Abi.COLUMN_SIZE + 32);
    Arena at = new Arena(arena.address());
    columns = at.take((long) columnCount * Abi.COLUMN_SIZE);
    unmatched = at.take(1);
    Platform.putByte(null, unmatched, (byte) 0);
  }

  /**
   * Stores selected rows.
   *
   * @param states address of a byte a row, 0 or 1; 0 if no row was matched
   * @param hashes address of a 64-bit hash a row
   * @param selection address of {@code count} 32-bit row numbers
   */
  void add(NativeColumns rows, long states, long hashes, long selection, int count) {
    NativeVector.describe(
        columns,
        Abi.T_BOOL,
        states == 0 ? Abi.KIND_CONSTANT : Abi.KIND_VECTOR,
        states == 0 ? unmatched : states,
        0);
    for (int i = 0; i < columnCount - FIRST_COLUMN; i++) {
      rows.column(i).describeTo(columns + (long) (FIRST_COLUMN + i) * Abi.COLUMN_SIZE);
    }
    store.setInput(columns, hashes, selection, count);
    if (store.append(0) < count) {
      throw new IllegalStateException("probe rows are stored by the ladder and not refused room");
    }
  }

  /** Writes what is in memory; every row is in a segment then. */
  void flush() {
    for (RowPartition partition : store.partitions().all()) {
      if (partition.hasPages()) {
        store.partitions().spill(partition);
      }
    }
  }

  /** Frees memory by writing rows; the bytes freed. */
  long spill(long bytes) {
    return store.partitions().spill(bytes);
  }

  /** The segments of a partition; after {@link #flush()} all its rows are there. */
  List<SpillSegment> segments(int partition) {
    return List.copyOf(store.partitions().get(partition).segments());
  }

  /** Reads segments of this spill. */
  PageReader reader(JoinFrame frame, List<SpillSegment> segments) {
    return new PageReader(frame.memory(), store::checkPage, store.partitions().file(), segments);
  }

  @Override
  public void close() {
    store.close();
    arena.close();
  }
}
