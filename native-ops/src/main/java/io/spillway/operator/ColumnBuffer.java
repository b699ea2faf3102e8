package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;

/**
 * Room for one column: values and null bytes for a fixed number of rows.
 *
 * <p>Freed with the memory of the operator that allocated it.
 */
final class ColumnBuffer {
  private final NativeBlock block;
  private final long nulls;

  private ColumnBuffer(NativeBlock block, long nulls) {
    this.block = block;
    this.nulls = nulls;
  }

  /** Bytes that {@link #allocate} takes for a type and a number of rows. */
  static long bytes(int nativeType, int rows) {
    // Null bytes first would misalign the values; each part starts at a multiple of 16.
    return align(rows * (long) NativeTypes.width(nativeType)) + align(rows);
  }

  /** Allocates room by the whole ladder; throws Spark's out-of-memory error if there is none. */
  static ColumnBuffer allocate(OperatorMemory memory, int nativeType, int rows) {
    NativeBlock block = memory.allocate(bytes(nativeType, rows));
    return new ColumnBuffer(
        block, block.address() + align(rows * (long) NativeTypes.width(nativeType)));
  }

  long values() {
    return block.address();
  }

  long nulls() {
    return nulls;
  }

  private static long align(long bytes) {
    return (bytes + 15) & ~15L;
  }
}
