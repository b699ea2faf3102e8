package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import io.spillway.kernel.ExchangeAbi;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reads values from an image of one column where they lie, before kernels have made a column of it:
 * long strings are still named by their offsets. A view that owns nothing.
 */
final class ColumnImage {
  /** Behind the header: a bit for each column, in steps of 8 bytes. */
  private static final int START = ExchangeAbi.IMAGE_HEADER_BYTES + 8;

  private final int nativeType;
  private final int width;
  private final int rows;
  private final long image;
  private final long nulls;

  /**
   * @param image address of the image
   */
  ColumnImage(int nativeType, long image, int rows) {
    this.nativeType = nativeType;
    this.width = NativeTypes.width(nativeType);
    this.rows = rows;
    this.image = image;
    boolean nullable = Platform.getByte(null, image + ExchangeAbi.IMAGE_HEADER_BYTES) != 0;
    this.nulls = nullable ? image + START + (((long) rows * width + 7) & ~7L) : 0;
  }

  /** Number of rows. */
  int rows() {
    return rows;
  }

  boolean isNullAt(int row) {
    return nulls != 0 && Platform.getByte(null, nulls + row) != 0;
  }

  /** A value of any integer type or a truth value. */
  long integerAt(int row) {
    long at = address(row);
    return switch (nativeType) {
      case Abi.T_BOOL, Abi.T_I8 -> Platform.getByte(null, at);
      case Abi.T_I16 -> Platform.getShort(null, at);
      case Abi.T_I32 -> Platform.getInt(null, at);
      case Abi.T_I64 -> Platform.getLong(null, at);
      default -> throw new IllegalStateException("not an integer type: " + nativeType);
    };
  }

  /** A floating-point value; a float as a double, which keeps it and its order. */
  double numberAt(int row) {
    long at = address(row);
    return nativeType == Abi.T_F32 ? Platform.getFloat(null, at) : Platform.getDouble(null, at);
  }

  /** The upper half of a value of 128 bits, or its lower half. */
  long wordAt(int row, boolean upper) {
    return Platform.getLong(null, address(row) + (upper ? 8 : 0));
  }

  /** Bytes of a string. */
  int lengthAt(int row) {
    return Platform.getInt(null, address(row));
  }

  /** A string where it lies, valid as long as the image. */
  UTF8String textAt(int row) {
    long at = address(row);
    int length = lengthAt(row);
    long bytes =
        length <= Abi.STR_INLINE_BYTES
            ? at + Abi.STR_PREFIX
            : image + Platform.getLong(null, at + Abi.STR_ADDRESS);
    return UTF8String.fromAddress(null, bytes, length);
  }

  private long address(int row) {
    return image + START + (long) row * width;
  }
}
