package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.util.OptionalInt;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** The physical form of Spark's types in the kernels. Stateless. */
public final class NativeTypes {
  private NativeTypes() {}

  /**
   * The kernel type (an {@code Abi.T_*} value) that carries values of a Spark type.
   *
   * @return empty for a type that kernels cannot hold: null, intervals, arrays, maps, structs,
   *     user-defined types and decimals of negative scale
   */
  public static OptionalInt of(DataType type) {
    if (type instanceof BooleanType) {
      return OptionalInt.of(Abi.T_BOOL);
    }
    if (type instanceof ByteType) {
      return OptionalInt.of(Abi.T_I8);
    }
    if (type instanceof ShortType) {
      return OptionalInt.of(Abi.T_I16);
    }
    if (type instanceof IntegerType || type instanceof DateType) {
      return OptionalInt.of(Abi.T_I32);
    }
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return OptionalInt.of(Abi.T_I64);
    }
    if (type instanceof FloatType) {
      return OptionalInt.of(Abi.T_F32);
    }
    if (type instanceof DoubleType) {
      return OptionalInt.of(Abi.T_F64);
    }
    if (type instanceof DecimalType decimal) {
      // Spark has them where spark.sql.legacy.allowNegativeScaleOfDecimal allows them.
      if (decimal.scale() < 0) {
        return OptionalInt.empty();
      }
      return OptionalInt.of(
          decimal.precision() <= Decimal.MAX_LONG_DIGITS() ? Abi.T_I64 : Abi.T_I128);
    }
    // StringType is the parent of char and varchar, whose values are plain strings.
    if (type instanceof StringType || type instanceof BinaryType) {
      return OptionalInt.of(Abi.T_STR);
    }
    return OptionalInt.empty();
  }

  /**
   * Bytes of one value in a column.
   *
   * @throws IllegalArgumentException if {@code abiType} is not one of {@code Abi.T_*}
   */
  public static int width(int abiType) {
    return switch (abiType) {
      case Abi.T_BOOL, Abi.T_I8 -> 1;
      case Abi.T_I16 -> 2;
      case Abi.T_I32, Abi.T_F32 -> 4;
      case Abi.T_I64, Abi.T_F64 -> 8;
      case Abi.T_I128, Abi.T_STR -> 16;
      default -> throw new IllegalArgumentException("not a kernel type: " + abiType);
    };
  }
}
