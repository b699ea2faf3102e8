package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.math.BigInteger;
import java.util.OptionalInt;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/** Spark's literal values as a program's constants. */
final class LiteralCompiler {
  private LiteralCompiler() {}

  /**
   * @param value Catalyst's internal value; null for a null of the type
   */
  static int compile(ProgramBuilder program, Object value, DataType type)
      throws UnsupportedException {
    OptionalInt nativeType = NativeTypes.of(type);
    if (nativeType.isEmpty()) {
      throw new UnsupportedException("type " + type.simpleString());
    }
    if (value instanceof Decimal decimal
        && type instanceof DecimalType decimalType
        && decimal.scale() != decimalType.scale()) {
      throw new UnsupportedException(
          "a decimal literal of scale " + decimal.scale() + " in " + type.simpleString());
    }
    return program.constant(nativeType.getAsInt(), constant(value, type));
  }

  /**
   * A value as {@link Program.Constant} has it.
   *
   * @throws ArithmeticException if a decimal has more places than its type
   */
  static Object constant(Object value, DataType type) {
    if (value instanceof Decimal decimal) {
      DecimalType decimalType = (DecimalType) type;
      BigInteger unscaled =
          decimal.toJavaBigDecimal().setScale(decimalType.scale()).unscaledValue();
      return DecimalCompiler.typeOf(decimalType) == Abi.T_I128
          ? (Object) unscaled
          : (Object) unscaled.longValueExact();
    }
    return value instanceof UTF8String text ? text.getBytes() : value;
  }
}
