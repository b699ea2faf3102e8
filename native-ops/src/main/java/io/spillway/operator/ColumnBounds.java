package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * What Spark wants to know of each column of a cached batch, to leave batches out in which no row
 * can meet a condition: the least and the greatest value, nulls, rows, and the values' size as
 * Spark counts it. A value that is not a number counts as the greatest, as in Spark's comparisons.
 * Used by one thread.
 */
final class ColumnBounds {
  /** How many values Spark has for each column, in this order. */
  static final int FIELDS = 5;

  private static final int NULL_BYTES = 4;
  private static final int LENGTH_BYTES = 4;

  private final DataType type;
  private final int nativeType;

  /**
   * @param type of the column, which has a native form
   */
  ColumnBounds(DataType type) {
    this.type = type;
    this.nativeType = NativeTypes.of(type).orElseThrow();
  }

  /**
   * Writes the five values of a column.
   *
   * @param image address of its image
   * @param at the first of the places
   */
  void write(long image, int rows, Object[] target, int at) {
    ColumnImage column = new ColumnImage(nativeType, image, rows);
    int least = -1;
    int greatest = -1;
    int nulls = 0;
    long bytes = 0;
    for (int row = 0; row < rows; row++) {
      if (column.isNullAt(row)) {
        nulls++;
        bytes += NULL_BYTES;
        continue;
      }
      bytes += bytesAt(column, row);
      if (least < 0) {
        least = row;
        greatest = row;
      } else if (!(type instanceof BinaryType)) {
        if (compare(column, row, least) < 0) {
          least = row;
        } else if (compare(column, row, greatest) > 0) {
          greatest = row;
        }
      }
    }
    target[at] = value(column, least);
    target[at + 1] = value(column, greatest);
    target[at + 2] = nulls;
    target[at + 3] = rows;
    target[at + 4] = bytes;
  }

  private long bytesAt(ColumnImage column, int row) {
    if (nativeType == Abi.T_STR) {
      return (long) LENGTH_BYTES + column.lengthAt(row);
    }
    // Spark counts 8 for any decimal.
    return nativeType == Abi.T_I128 ? Long.BYTES : NativeTypes.width(nativeType);
  }

  private int compare(ColumnImage column, int left, int right) {
    return switch (nativeType) {
      case Abi.T_F32, Abi.T_F64 -> Double.compare(column.numberAt(left), column.numberAt(right));
      case Abi.T_STR -> column.textAt(left).compareTo(column.textAt(right));
      case Abi.T_I128 -> compareWide(column, left, right);
      default -> Long.compare(column.integerAt(left), column.integerAt(right));
    };
  }

  private static int compareWide(ColumnImage column, int left, int right) {
    int upper = Long.compare(column.wordAt(left, true), column.wordAt(right, true));
    return upper != 0
        ? upper
        : Long.compareUnsigned(column.wordAt(left, false), column.wordAt(right, false));
  }

  /** A value as Spark's rows hold it, on the heap; null if there is none, and for binary values. */
  private Object value(ColumnImage column, int row) {
    if (row < 0 || type instanceof BinaryType) {
      return null;
    }
    return switch (nativeType) {
      case Abi.T_STR -> UTF8String.fromBytes(column.textAt(row).getBytes());
      case Abi.T_F32, Abi.T_F64 -> number(column.numberAt(row));
      case Abi.T_I128 -> wide(column, row);
      default -> integer(column.integerAt(row));
    };
  }

  private Object number(double value) {
    if (type instanceof FloatType) {
      return (float) value;
    }
    return value;
  }

  private Object integer(long value) {
    if (type instanceof DecimalType decimal) {
      return Decimal.createUnsafe(value, decimal.precision(), decimal.scale());
    }
    if (type instanceof BooleanType) {
      return value != 0;
    }
    if (type instanceof ByteType) {
      return (byte) value;
    }
    if (type instanceof ShortType) {
      return (short) value;
    }
    if (nativeType == Abi.T_I32) {
      return (int) value;
    }
    return value;
  }

  private Object wide(ColumnImage column, int row) {
    DecimalType decimal = (DecimalType) type;
    byte[] words =
        ByteBuffer.allocate(16)
            .putLong(column.wordAt(row, true))
            .putLong(column.wordAt(row, false))
            .array();
    BigDecimal value = new BigDecimal(new BigInteger(words), decimal.scale());
    return Decimal.apply(value, decimal.precision(), decimal.scale());
  }
}
