package io.spillway.operator;

import io.spillway.kernel.Abi;
import java.math.BigInteger;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;

/**
 * Reads a column through the public getters of Spark's {@link ColumnVector}: works for every kind
 * of vector (constants, Arrow, other plugins' own), a row at a time. Used by one thread.
 */
final class GetterImporter {
  private final int nativeType;
  private final boolean binary;
  private final int precision;
  private final int scale;
  private final StringImporter strings;

  GetterImporter(DataType type, int nativeType, StringImporter strings) {
    this.nativeType = nativeType;
    this.binary = type instanceof BinaryType;
    this.precision = type instanceof DecimalType decimal ? decimal.precision() : 0;
    this.scale = type instanceof DecimalType decimal ? decimal.scale() : 0;
    this.strings = strings;
  }

  /**
   * Writes rows {@code [start, start + rows)} to {@code values} and {@code nulls}.
   *
   * @return whether a row is null
   */
  boolean load(ColumnVector source, int start, int rows, long values, long nulls) {
    boolean anyNull = false;
    for (int row = 0; row < rows; row++) {
      boolean isNull = source.isNullAt(start + row);
      anyNull |= isNull;
      Platform.putByte(null, nulls + row, (byte) (isNull ? 1 : 0));
    }
    if (nativeType == Abi.T_STR) {
      strings.loadEach(source, binary, start, rows, nulls, values);
      return anyNull;
    }
    int width = Abi.width(nativeType);
    for (int row = 0; row < rows; row++) {
      long target = values + (long) row * width;
      if (Platform.getByte(null, nulls + row) != 0) {
        Platform.setMemory(target, (byte) 0, width);
      } else {
        put(source, start + row, target);
      }
    }
    return anyNull;
  }

  private void put(ColumnVector source, int row, long target) {
    switch (nativeType) {
      case Abi.T_BOOL -> Platform.putByte(null, target, (byte) (source.getBoolean(row) ? 1 : 0));
      case Abi.T_I8 -> Platform.putByte(null, target, source.getByte(row));
      case Abi.T_I16 -> Platform.putShort(null, target, source.getShort(row));
      case Abi.T_I32 -> Platform.putInt(null, target, source.getInt(row));
      case Abi.T_I64 ->
          Platform.putLong(
              null,
              target,
              precision > 0
                  ? source.getDecimal(row, precision, scale).toUnscaledLong()
                  : source.getLong(row));
      case Abi.T_F32 -> Platform.putFloat(null, target, source.getFloat(row));
      case Abi.T_F64 -> Platform.putDouble(null, target, source.getDouble(row));
      case Abi.T_I128 ->
          putInt128(
              target, source.getDecimal(row, precision, scale).toJavaBigDecimal().unscaledValue());
      default -> throw new IllegalStateException("not a fixed-width kernel type: " + nativeType);
    }
  }

  /** Writes a number of at most 128 bits, two's complement, little-endian. */
  static void putInt128(long target, BigInteger value) {
    Platform.putLong(null, target, value.longValue());
    Platform.putLong(null, target + 8, value.shiftRight(64).longValue());
  }
}
