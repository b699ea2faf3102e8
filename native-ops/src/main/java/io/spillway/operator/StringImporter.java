package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Copies variable-length values (strings, binaries, the bytes of long decimals) to native memory
 * and makes kernel values of them. Holds the bytes until the next load. Used by one thread.
 */
final class StringImporter {
  private static final int SMALLEST_BLOCK_BYTES = 4096;

  private final OperatorMemory memory;
  private final int nativeType;
  private final long limitBytes;
  private NativeBlock data;
  private NativeBlock places;

  /**
   * @param limitBytes loads of several rows whose bytes are more are refused with {@link
   *     SliceTooLargeException}
   */
  StringImporter(OperatorMemory memory, int nativeType, long limitBytes) {
    this.memory = memory;
    this.limitBytes = limitBytes;
    this.nativeType = nativeType;
  }

  /** Loads rows of an on-heap vector that has no dictionary: one copy of the rows' byte range. */
  void load(OnHeapColumnVector source, int start, int rows, long nulls, long values) {
    int[] offsets = SparkVectors.offsets(source);
    int[] lengths = SparkVectors.lengths(source);
    int from = Integer.MAX_VALUE;
    int to = 0;
    for (int row = 0; row < rows; row++) {
      if (nulls == 0 || Platform.getByte(null, nulls + row) == 0) {
        from = Math.min(from, offsets[start + row]);
        to = Math.max(to, offsets[start + row] + lengths[start + row]);
      }
    }
    int bytes = Math.max(0, to - from);
    reserve(bytes, rows);
    if (bytes > 0) {
      byte[] source8 = SparkVectors.bytes((OnHeapColumnVector) source.getChild(0));
      Platform.copyMemory(
          source8, Platform.BYTE_ARRAY_OFFSET + (long) from, null, data.address(), bytes);
    }
    for (int row = 0; row < rows; row++) {
      boolean isNull = nulls != 0 && Platform.getByte(null, nulls + row) != 0;
      place(row, rows, isNull ? 0 : offsets[start + row] - from, isNull ? 0 : lengths[start + row]);
    }
    build(bytes, rows, nulls, values);
  }

  /** Loads rows of any vector through its getters. */
  void loadEach(ColumnVector source, boolean binary, int start, int rows, long nulls, long values) {
    long total = 0;
    Object[] copies = new Object[rows];
    for (int row = 0; row < rows; row++) {
      if (Platform.getByte(null, nulls + row) == 0) {
        copies[row] = binary ? source.getBinary(start + row) : source.getUTF8String(start + row);
        total += length(copies[row]);
      }
    }
    reserve(total, rows);
    int bytes = Math.toIntExact(total);
    int at = 0;
    for (int row = 0; row < rows; row++) {
      int length = length(copies[row]);
      if (length > 0) {
        copy(copies[row], data.address() + at, length);
      }
      place(row, rows, at, length);
      at += length;
    }
    build(bytes, rows, nulls, values);
  }

  static int length(Object value) {
    if (value == null) {
      return 0;
    }
    return value instanceof UTF8String string ? string.numBytes() : ((byte[]) value).length;
  }

  static void copy(Object value, long target, int length) {
    if (value instanceof UTF8String string) {
      Platform.copyMemory(string.getBaseObject(), string.getBaseOffset(), null, target, length);
    } else {
      Platform.copyMemory(value, Platform.BYTE_ARRAY_OFFSET, null, target, length);
    }
  }

  private void place(int row, int rows, int offset, int length) {
    Platform.putInt(null, places.address() + 4L * row, offset);
    Platform.putInt(null, places.address() + 4L * (rows + row), length);
  }

  private void build(int bytes, int rows, long nulls, long values) {
    long offsets = places.address();
    long lengths = offsets + 4L * rows;
    if (nativeType == Abi.T_I128) {
      Kernels.decimals(offsets, lengths, data.address(), bytes, nulls, rows, values);
    } else {
      Kernels.strings(offsets, lengths, data.address(), bytes, nulls, rows, values);
    }
  }

  private void reserve(long bytes, int rows) {
    if (rows > 1 && bytes > limitBytes) {
      throw new SliceTooLargeException(bytes, limitBytes);
    }
    // Forgotten before the larger one is asked for: if that is refused, the next, smaller load must
    // not find a closed block. One that a single long value needed is not kept for short ones.
    boolean oversized = data != null && data.size() > limitBytes && bytes <= limitBytes;
    if (data != null && (data.size() < bytes || oversized)) {
      data.close();
      data = null;
    }
    if (places != null && places.size() < 8L * rows) {
      places.close();
      places = null;
    }
    data = atLeast(data, bytes);
    places = atLeast(places, 8L * rows);
  }

  private NativeBlock atLeast(NativeBlock block, long bytes) {
    return block != null ? block : memory.allocate(Math.max(SMALLEST_BLOCK_BYTES, bytes));
  }
}
