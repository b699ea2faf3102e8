package io.spillway.expression;

import io.spillway.kernel.Abi;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Decimal arithmetic over unscaled integers. Spark computes a decimal result exactly, rounds it to
 * the result type's scale and makes it null if its digits do not fit; what is compiled here is the
 * part of that where nothing is rounded.
 */
final class DecimalCompiler {
  private final ProgramBuilder program;

  DecimalCompiler(ProgramBuilder program) {
    this.program = program;
  }

  static int typeOf(DecimalType type) {
    return type.precision() <= Decimal.MAX_LONG_DIGITS() ? Abi.T_I64 : Abi.T_I128;
  }

  /** Sum or difference. */
  int add(int op, int left, DecimalType leftType, int right, DecimalType rightType, DecimalType to)
      throws UnsupportedException {
    int scale = Math.max(leftType.scale(), rightType.scale());
    requireScale(to, scale);
    int a = aligned(left, leftType, scale);
    int b = aligned(right, rightType, scale);
    return program.binary(op, typeOf(to), a, b, to.precision());
  }

  /** Product. */
  int multiply(int left, DecimalType leftType, int right, DecimalType rightType, DecimalType to)
      throws UnsupportedException {
    requireScale(to, leftType.scale() + rightType.scale());
    return program.binary(Abi.OP_DEC_MUL, typeOf(to), left, right, to.precision());
  }

  /** A decimal as one of another precision and a scale that is not smaller. */
  int cast(int value, DecimalType from, DecimalType to) throws UnsupportedException {
    int scaleUp = to.scale() - from.scale();
    if (scaleUp < 0) {
      throw new UnsupportedException(
          "cast from " + from.simpleString() + " to " + to.simpleString() + " rounds");
    }
    return rescaled(value, from.precision(), scaleUp, to);
  }

  /** A whole number (I64) of at most the given decimal digits as a decimal. */
  int fromLong(int value, int digits, DecimalType to) {
    return rescaled(value, digits, to.scale(), to);
  }

  /** An unscaled long as a decimal; null if its digits do not fit. */
  int ofUnscaled(int value, DecimalType to) {
    return program.unary(Abi.OP_DEC_CHECK, typeOf(to), value, to.precision());
  }

  /** Checks digits against the type without changing the scale. */
  int checked(int value, DecimalType to) {
    return program.unary(Abi.OP_DEC_CHECK, typeOf(to), value, to.precision());
  }

  private int rescaled(int value, int digits, int scaleUp, DecimalType to) {
    boolean mayOverflow = digits + scaleUp > to.precision();
    if (!mayOverflow) {
      if (scaleUp == 0 && program.typeOf(value) == typeOf(to)) {
        return value;
      }
      return program.unary(Abi.OP_DEC_SCALE_UP, typeOf(to), value, scaleUp);
    }
    // 128 bits hold more than the 38 digits of the largest type, so what leaves them would be null
    // after the check as well.
    int wide =
        scaleUp == 0 ? value : program.unary(Abi.OP_DEC_SCALE_UP, Abi.T_I128, value, scaleUp);
    return checked(wide, to);
  }

  private int aligned(int value, DecimalType type, int scale) throws UnsupportedException {
    int scaleUp = scale - type.scale();
    if (scaleUp == 0) {
      return value;
    }
    int digits = type.precision() + scaleUp;
    if (digits > DecimalType.MAX_PRECISION()) {
      throw new UnsupportedException(
          "decimal operands that need " + digits + " digits at one scale");
    }
    int to = digits <= Decimal.MAX_LONG_DIGITS() ? Abi.T_I64 : Abi.T_I128;
    return program.unary(Abi.OP_DEC_SCALE_UP, to, value, scaleUp);
  }

  private static void requireScale(DecimalType to, int naturalScale) throws UnsupportedException {
    if (to.scale() != naturalScale) {
      throw new UnsupportedException(
          "decimal precision loss: the exact result has "
              + naturalScale
              + " decimals, "
              + to.simpleString()
              + " rounds it");
    }
  }
}
