package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * Copies selected rows of some columns; long strings stay where they are. What is taken is valid
 * until the next taking. Its memory is the operator's. Used by one thread at a time.
 */
final class ColumnTaker {
  private final int[] ordinals;
  private final int[] types;
  private final ColumnBuffer[] buffers;
  private final long from;
  private final long to;

  /**
   * @param ordinals which columns are taken
   * @param types their kernel types
   * @param maxRows the most rows of one taking
   */
  ColumnTaker(OperatorMemory memory, int[] ordinals, int[] types, int maxRows) {
    this.ordinals = ordinals.clone();
    this.types = types.clone();
    long descriptors = (long) Math.max(1, ordinals.length) * Abi.COLUMN_SIZE;
    from = memory.allocate(2 * descriptors).address();
    to = from + descriptors;
    buffers = new ColumnBuffer[ordinals.length];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = ColumnBuffer.allocate(memory, types[i], maxRows);
    }
  }

  /**
   * Takes rows.
   *
   * @param selection address of {@code count} 32-bit row numbers
   */
  void take(NativeColumns source, long selection, int count) {
    for (int i = 0; i < buffers.length; i++) {
      source.column(ordinals[i]).describeTo(from + (long) i * Abi.COLUMN_SIZE);
      NativeVector.describe(
          column(i), types[i], Abi.KIND_VECTOR, buffers[i].values(), buffers[i].nulls());
    }
    Kernels.take(from, to, buffers.length, selection, count);
  }

  /** Points a view at a column taken; by its place among the ordinals. */
  NativeVector view(int place, int rows, NativeVector target) {
    boolean nulls = Platform.getInt(null, column(place) + Abi.COLUMN_HAS_NULLS) != 0;
    return target.pointTo(buffers[place].values(), nulls ? buffers[place].nulls() : 0, rows);
  }

  /** Address of the values of a column taken. */
  long values(int place) {
    return buffers[place].values();
  }

  private long column(int place) {
    return to + (long) place * Abi.COLUMN_SIZE;
  }
}
