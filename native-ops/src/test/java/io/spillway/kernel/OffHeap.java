package io.spillway.kernel;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/** Native memory for one test, and kernel structures written into it; all freed at the end. */
final class OffHeap implements AutoCloseable {
  private final List<Long> blocks = new ArrayList<>();

  /** Zeroed, 8-byte aligned memory of at least one byte. */
  long allocate(long bytes) {
    long address = Platform.allocateMemory(Math.max(8, bytes));
    Platform.setMemory(address, (byte) 0, Math.max(8, bytes));
    blocks.add(address);
    return address;
  }

  /** The address of a column structure at {@code index} of an array of them. */
  static long column(long columns, int index) {
    return columns + (long) index * Abi.COLUMN_SIZE;
  }

  /** Fills a column structure that has values and null bytes of its own. */
  void initColumn(long column, int type, int kind, int rows) {
    Platform.putLong(null, column + Abi.COLUMN_VALUES, allocate((long) rows * Abi.width(type)));
    Platform.putLong(null, column + Abi.COLUMN_NULLS, allocate(rows));
    Platform.putInt(null, column + Abi.COLUMN_TYPE, type);
    Platform.putInt(null, column + Abi.COLUMN_KIND, kind);
  }

  /**
   * Writes one value: Boolean, Byte, Short, Integer, Long, Float, Double, BigInteger (unscaled, 128
   * bits), byte[] or null.
   */
  void put(long column, int row, Object value) {
    long values = Platform.getLong(null, column + Abi.COLUMN_VALUES);
    long nulls = Platform.getLong(null, column + Abi.COLUMN_NULLS);
    int type = Platform.getInt(null, column + Abi.COLUMN_TYPE);
    Platform.putByte(null, nulls + row, (byte) (value == null ? 1 : 0));
    long at = values + (long) row * Abi.width(type);
    if (value == null) {
      // Rubbish: what a kernel must not follow.
      Platform.setMemory(at, (byte) 0x5a, Abi.width(type));
      return;
    }
    switch (type) {
      case Abi.T_BOOL -> Platform.putByte(null, at, (byte) ((Boolean) value ? 1 : 0));
      case Abi.T_I8 -> Platform.putByte(null, at, (Byte) value);
      case Abi.T_I16 -> Platform.putShort(null, at, (Short) value);
      case Abi.T_I32 -> Platform.putInt(null, at, (Integer) value);
      case Abi.T_I64 -> Platform.putLong(null, at, (Long) value);
      case Abi.T_F32 -> Platform.putFloat(null, at, (Float) value);
      case Abi.T_F64 -> Platform.putDouble(null, at, (Double) value);
      case Abi.T_I128 -> {
        BigInteger wide = (BigInteger) value;
        Platform.putLong(null, at, wide.longValue());
        Platform.putLong(null, at + 8, wide.shiftRight(64).longValue());
      }
      default -> putString(at, (byte[]) value);
    }
  }

  private void putString(long at, byte[] bytes) {
    Platform.putInt(null, at + Abi.STR_LENGTH, bytes.length);
    Platform.putInt(null, at + Abi.STR_PREFIX, 0);
    Platform.putLong(null, at + Abi.STR_ADDRESS, 0);
    int inline = bytes.length <= Abi.STR_INLINE_BYTES ? bytes.length : 4;
    Platform.copyMemory(
        bytes, Platform.BYTE_ARRAY_OFFSET, null, at + Abi.STR_PREFIX, Math.min(inline, 12));
    if (bytes.length > Abi.STR_INLINE_BYTES) {
      Platform.putLong(null, at + Abi.STR_ADDRESS, putBytes(bytes));
    }
  }

  /** Copies bytes and answers their address. */
  long putBytes(byte[] bytes) {
    long address = allocate(bytes.length);
    Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, address, bytes.length);
    return address;
  }

  /** Copies ints and answers their address. */
  long putInts(int... values) {
    long address = allocate(4L * values.length);
    for (int i = 0; i < values.length; i++) {
      Platform.putInt(null, address + 4L * i, values[i]);
    }
    return address;
  }

  /** Reads one value in the Java form of {@link #put}; null where the null byte is set. */
  static Object get(long column, int row) {
    long nulls = Platform.getLong(null, column + Abi.COLUMN_NULLS);
    if (nulls != 0 && Platform.getByte(null, nulls + row) != 0) {
      return null;
    }
    int type = Platform.getInt(null, column + Abi.COLUMN_TYPE);
    long values = Platform.getLong(null, column + Abi.COLUMN_VALUES);
    return value(type, values + (long) row * Abi.width(type));
  }

  static Object value(int type, long at) {
    return switch (type) {
      case Abi.T_BOOL -> Platform.getByte(null, at) != 0;
      case Abi.T_I8 -> Platform.getByte(null, at);
      case Abi.T_I16 -> Platform.getShort(null, at);
      case Abi.T_I32 -> Platform.getInt(null, at);
      case Abi.T_I64 -> Platform.getLong(null, at);
      case Abi.T_F32 -> Platform.getFloat(null, at);
      case Abi.T_F64 -> Platform.getDouble(null, at);
      case Abi.T_I128 ->
          BigInteger.valueOf(Platform.getLong(null, at + 8))
              .shiftLeft(64)
              .or(
                  BigInteger.valueOf(Platform.getLong(null, at))
                      .and(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE)));
      default -> {
        byte[] bytes = new byte[Platform.getInt(null, at + Abi.STR_LENGTH)];
        long from =
            bytes.length <= Abi.STR_INLINE_BYTES
                ? at + Abi.STR_PREFIX
                : Platform.getLong(null, at + Abi.STR_ADDRESS);
        Platform.copyMemory(null, from, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        yield new String(bytes, StandardCharsets.UTF_8);
      }
    };
  }

  static boolean hasNulls(long column) {
    return Platform.getInt(null, column + Abi.COLUMN_HAS_NULLS) != 0;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    blocks.forEach(Platform::freeMemory);
    blocks.clear();
  }
}
