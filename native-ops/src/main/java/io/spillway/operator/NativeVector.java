package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A column in native memory as the kernels lay it out ({@code spw_column} in {@code spw_abi.h}): a
 * view that owns nothing.
 *
 * <p>The memory belongs to the operator that produced the batch and is valid until that operator is
 * asked for its next batch, as Spark's contract for columnar batches says; whoever keeps values
 * longer copies them. {@link #close()} therefore does nothing. Not thread-safe.
 */
public final class NativeVector extends ColumnVector {
  private final int nativeType;
  private long values;
  private long nulls;
  private int rows;

  /**
   * @param type a type for which {@link NativeTypes#of} gives a native one
   */
  public NativeVector(DataType type) {
    super(type);
    this.nativeType =
        NativeTypes.of(type)
            .orElseThrow(() -> new IllegalArgumentException("no native form of " + type.sql()));
  }

  /**
   * Points this view at memory.
   *
   * @param values address of the values
   * @param nulls address of one byte a row (1 = null), or 0 if no row is null
   */
  public NativeVector pointTo(long values, long nulls, int rows) {
    this.values = values;
    this.nulls = nulls;
    this.rows = rows;
    return this;
  }

  /** Points this view at the rows behind the first ones. */
  void skip(int first) {
    values += (long) first * Abi.width(nativeType);
    nulls += nulls == 0 ? 0 : first;
    rows -= first;
  }

  /** Kernel type, one of {@code Abi.T_*}. */
  public int nativeType() {
    return nativeType;
  }

  /** Address of the values. */
  public long values() {
    return values;
  }

  /** Address of the null bytes; 0 if no row is null. */
  public long nulls() {
    return nulls;
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** Writes this column's {@code spw_column} descriptor. */
  void describeTo(long descriptor) {
    describe(descriptor, nativeType, Abi.KIND_VECTOR, values, nulls);
  }

  static void describe(long descriptor, int type, int kind, long values, long nulls) {
    Platform.putLong(null, descriptor + Abi.COLUMN_VALUES, values);
    Platform.putLong(null, descriptor + Abi.COLUMN_NULLS, nulls);
    Platform.putInt(null, descriptor + Abi.COLUMN_TYPE, type);
    Platform.putInt(null, descriptor + Abi.COLUMN_KIND, kind);
    Platform.putInt(null, descriptor + Abi.COLUMN_HAS_NULLS, 0);
    Platform.putInt(null, descriptor + Abi.COLUMN_RESERVED, 0);
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return nulls != 0;
  }

  @Override
  public int numNulls() {
    int count = 0;
    if (nulls != 0) {
      for (int row = 0; row < rows; row++) {
        count += Platform.getByte(null, nulls + row);
      }
    }
    return count;
  }

  @Override
  public boolean isNullAt(int row) {
    return nulls != 0 && Platform.getByte(null, nulls + row) != 0;
  }

  @Override
  public boolean getBoolean(int row) {
    return Platform.getByte(null, values + row) != 0;
  }

  @Override
  public byte getByte(int row) {
    return Platform.getByte(null, values + row);
  }

  @Override
  public short getShort(int row) {
    return Platform.getShort(null, values + 2L * row);
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, values + 4L * row);
  }

  @Override
  public long getLong(int row) {
    return Platform.getLong(null, values + 8L * row);
  }

  @Override
  public float getFloat(int row) {
    return Platform.getFloat(null, values + 4L * row);
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, values + 8L * row);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    if (isNullAt(row)) {
      return null;
    }
    if (nativeType == Abi.T_I64) {
      return Decimal.createUnsafe(getLong(row), precision, scale);
    }
    BigInteger high = BigInteger.valueOf(Platform.getLong(null, values + 16L * row + 8));
    long low = Platform.getLong(null, values + 16L * row);
    BigInteger unscaled =
        high.shiftLeft(64)
            .or(BigInteger.valueOf(low >>> 1).shiftLeft(1).or(BigInteger.valueOf(low & 1)));
    return Decimal.apply(new BigDecimal(unscaled, scale), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    if (isNullAt(row)) {
      return null;
    }
    long value = values + (long) Abi.STR_SIZE * row;
    return UTF8String.fromAddress(null, bytesOf(value), Platform.getInt(null, value));
  }

  @Override
  public byte[] getBinary(int row) {
    if (isNullAt(row)) {
      return null;
    }
    long value = values + (long) Abi.STR_SIZE * row;
    byte[] bytes = new byte[Platform.getInt(null, value)];
    Platform.copyMemory(null, bytesOf(value), bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
    return bytes;
  }

  private static long bytesOf(long value) {
    return Platform.getInt(null, value) <= Abi.STR_INLINE_BYTES
        ? value + Abi.STR_PREFIX
        : Platform.getLong(null, value + Abi.STR_ADDRESS);
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw noNestedTypes();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw noNestedTypes();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw noNestedTypes();
  }

  private IllegalStateException noNestedTypes() {
    return new IllegalStateException("a native column has no nested values: " + type.sql());
  }
}
