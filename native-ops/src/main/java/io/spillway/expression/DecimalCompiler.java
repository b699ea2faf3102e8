package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Decimal arithmetic over unscaled integers. Spark computes a decimal result with more digits than
 * its type has, rounds it and makes it null if its digits do not fit. Where nothing is rounded one
 * operation of 64 or 128 bits does; where digits are dropped the kernels compute as wide as it
 * takes.
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
  int add(
      int op, int left, DecimalType leftType, int right, DecimalType rightType, DecimalType to) {
    int scale = Math.max(leftType.scale(), rightType.scale());
    int upLeft = scale - leftType.scale();
    int upRight = scale - rightType.scale();
    int digits = Math.max(leftType.precision() + upLeft, rightType.precision() + upRight);
    if (to.scale() != scale || digits > DecimalType.MAX_PRECISION()) {
      int wideOp = op == Abi.OP_DEC_ADD ? ExprAbi.OP_DEC_ADD_WIDE : ExprAbi.OP_DEC_SUB_WIDE;
      int imm = to.precision() | upLeft << 6 | upRight << 12 | (scale - to.scale()) << 18;
      return program.binary(wideOp, typeOf(to), left, right, imm);
    }
    int a = aligned(left, leftType, scale);
    int b = aligned(right, rightType, scale);
    return program.binary(op, typeOf(to), a, b, to.precision());
  }

  /** Product. */
  int multiply(int left, DecimalType leftType, int right, DecimalType rightType, DecimalType to) {
    int scale = leftType.scale() + rightType.scale();
    if (to.scale() != scale) {
      int imm = to.precision() | scale << 6 | to.scale() << 13;
      return program.binary(ExprAbi.OP_DEC_MUL_WIDE, typeOf(to), left, right, imm);
    }
    return program.binary(Abi.OP_DEC_MUL, typeOf(to), left, right, to.precision());
  }

  /** Quotient; null for a zero divisor. */
  int divide(int left, DecimalType leftType, int right, DecimalType rightType, DecimalType to) {
    // As many digits behind the point as a decimal can have; which of them are wanted is rounded.
    int up = DecimalType.MAX_SCALE() - leftType.scale() + rightType.scale();
    int imm = to.precision() | up << 6 | to.scale() << 13;
    return program.binary(ExprAbi.OP_DEC_DIV, typeOf(to), left, right, imm);
  }

  /**
   * Rounded to so many digits behind the point.
   *
   * @param to the type that Spark gives the result: wide enough unless its precision is at the
   *     limit
   * @param digits below 0: before the point
   * @param mode one of {@code ExprAbi.ROUND_}
   */
  int rounded(int value, DecimalType from, DecimalType to, int digits, int mode)
      throws UnsupportedException {
    if (digits >= from.scale()) {
      return cast(value, from, to);
    }
    int before = Math.max(0, -digits);
    if (before > 0
        && Math.max(from.precision() - from.scale(), before) + 1 > DecimalType.MAX_PRECISION()) {
      throw new UnsupportedException(
          "rounding " + from.simpleString() + " to " + before + " digits before the point");
    }
    int imm = from.scale() - digits | mode << 8;
    int down = program.unary(ExprAbi.OP_DEC_DOWN, typeOf(to), value, imm);
    return before == 0 ? down : program.unary(Abi.OP_DEC_SCALE_UP, typeOf(to), down, before);
  }

  /** The whole part (I64), as Java cuts it: its lower 64 bits. */
  int toLong(int value, DecimalType from) {
    int type = program.typeOf(value);
    int whole =
        from.scale() == 0
            ? value
            : program.unary(
                ExprAbi.OP_DEC_DOWN, type, value, from.scale() | ExprAbi.ROUND_DOWN << 8);
    return program.unary(ExprAbi.OP_DEC_LOW, Abi.T_I64, whole, 0);
  }

  /** A decimal as one of another precision and scale, rounded half up; null if it does not fit. */
  int cast(int value, DecimalType from, DecimalType to) {
    int scaleUp = to.scale() - from.scale();
    if (scaleUp < 0) {
      // One digit more, as rounding may carry.
      int digits = from.precision() + scaleUp + 1;
      int imm = -scaleUp | ExprAbi.ROUND_HALF_UP << 8;
      boolean mayOverflow = digits > to.precision();
      int type = mayOverflow ? typeOf(from) : typeOf(to);
      int down = program.unary(ExprAbi.OP_DEC_DOWN, type, value, imm);
      return mayOverflow ? checked(down, to) : down;
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

  private int aligned(int value, DecimalType type, int scale) {
    int scaleUp = scale - type.scale();
    if (scaleUp == 0) {
      return value;
    }
    int digits = type.precision() + scaleUp;
    int to = digits <= Decimal.MAX_LONG_DIGITS() ? Abi.T_I64 : Abi.T_I128;
    return program.unary(Abi.OP_DEC_SCALE_UP, to, value, scaleUp);
  }
}
