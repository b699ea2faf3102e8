package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsAbi;
import org.apache.spark.unsafe.Platform;

/**
 * Where the columns of a row store's rows lie, and the native description of it ({@code spw_key[]},
 * see {@code spw_abi_rows.h}), which lives in the memory that the caller gives.
 */
final class RowLayout {
  private final int[] types;
  private final int[] offsets;
  private final int rowWidth;
  private final long address;

  /** Bytes of native memory that the description of so many columns needs. */
  static long bytes(int columns) {
    return Math.max(1, columns) * (long) Abi.KEY_SIZE;
  }

  /** Bytes of one row of such columns, without its long strings. */
  static int rowWidth(int[] types) {
    int width = RowsAbi.frontBytes(types.length);
    for (int type : types) {
      width += Abi.keyWidth(type);
    }
    return width;
  }

  /**
   * @param types kernel types of the columns, {@link RowsAbi#MAX_COLUMNS} at the most
   * @param memory address of {@link #bytes} bytes, 8-byte aligned, which must outlive this layout
   */
  RowLayout(int[] types, long memory) {
    this.types = types.clone();
    this.offsets = new int[types.length];
    this.address = memory;
    int offset = RowsAbi.frontBytes(types.length);
    for (int i = 0; i < types.length; i++) {
      offsets[i] = offset;
      Platform.putInt(null, address + (long) i * Abi.KEY_SIZE + Abi.KEY_TYPE, types[i]);
      Platform.putInt(null, address + (long) i * Abi.KEY_SIZE + Abi.KEY_OFFSET, offset);
      offset += Abi.keyWidth(types[i]);
    }
    this.rowWidth = offset;
  }

  int columns() {
    return types.length;
  }

  /** The kernel type of a column. */
  int type(int column) {
    return types[column];
  }

  /** The offset of a column's slot in a row. */
  int offset(int column) {
    return offsets[column];
  }

  /** Bytes of one row, without its long strings. */
  int rowWidth() {
    return rowWidth;
  }

  /** Address of {@code spw_key[]}. */
  long address() {
    return address;
  }
}
