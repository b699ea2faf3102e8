package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import io.spillway.kernel.ExchangeAbi;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Images as batches of Spark's own vectors, on the heap alone: for the driver, which has no native
 * memory. Used by one thread.
 */
final class ImageVectors {
  private final DataType[] types;

  /** The image at hand, and where its next column starts. */
  private ByteBuffer image;

  private int at;

  ImageVectors(DataType[] types) {
    this.types = types;
  }

  /**
   * A batch of an image's rows.
   *
   * @param bytes the whole image, which was written by this version
   */
  ColumnarBatch read(byte[] bytes) {
    image = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int rows = image.getInt(4);
    at = ExchangeAbi.IMAGE_HEADER_BYTES + padded((types.length + 7) / 8);
    ColumnVector[] columns = new ColumnVector[types.length];
    for (int i = 0; i < types.length; i++) {
      columns[i] = column(i, rows);
    }
    return new ColumnarBatch(columns, rows);
  }

  private ColumnVector column(int ordinal, int rows) {
    DataType type = types[ordinal];
    int nativeType = NativeTypes.of(type).orElseThrow();
    int width = NativeTypes.width(nativeType);
    int values = at;
    at += padded(rows * width);
    int nulls = -1;
    if (((image.get(ExchangeAbi.IMAGE_HEADER_BYTES + ordinal / 8) >> (ordinal % 8)) & 1) != 0) {
      nulls = at;
      at += padded(rows);
    }
    WritableColumnVector column = new OnHeapColumnVector(Math.max(1, rows), type);
    for (int row = 0; row < rows; row++) {
      if (nulls >= 0 && image.get(nulls + row) != 0) {
        column.putNull(row);
      } else {
        put(column, row, nativeType, values + row * width);
      }
    }
    return column;
  }

  private void put(WritableColumnVector column, int row, int nativeType, int from) {
    switch (nativeType) {
      case Abi.T_BOOL -> column.putBoolean(row, image.get(from) != 0);
      case Abi.T_I8 -> column.putByte(row, image.get(from));
      case Abi.T_I16 -> column.putShort(row, image.getShort(from));
      case Abi.T_I32 -> column.putInt(row, image.getInt(from));
      case Abi.T_I64 -> putLong(column, row, image.getLong(from));
      case Abi.T_F32 -> column.putFloat(row, image.getFloat(from));
      case Abi.T_F64 -> column.putDouble(row, image.getDouble(from));
      case Abi.T_I128 -> putWide(column, row, from);
      default -> putText(column, row, from);
    }
  }

  /** Spark's vectors hold decimals of few digits as 32 bits. */
  private static void putLong(WritableColumnVector column, int row, long value) {
    if (column.dataType() instanceof DecimalType decimal
        && decimal.precision() <= Decimal.MAX_INT_DIGITS()) {
      column.putInt(row, (int) value);
    } else {
      column.putLong(row, value);
    }
  }

  private void putWide(WritableColumnVector column, int row, int from) {
    byte[] words =
        ByteBuffer.allocate(16)
            .putLong(image.getLong(from + 8))
            .putLong(image.getLong(from))
            .array();
    byte[] unscaled = new BigInteger(words).toByteArray();
    column.putByteArray(row, unscaled, 0, unscaled.length);
  }

  private void putText(WritableColumnVector column, int row, int from) {
    int length = image.getInt(from);
    int text =
        length <= Abi.STR_INLINE_BYTES
            ? from + Abi.STR_PREFIX
            : (int) image.getLong(from + Abi.STR_ADDRESS);
    column.putByteArray(row, image.array(), text, length);
  }

  private static int padded(int bytes) {
    return (bytes + 7) & ~7;
  }
}
