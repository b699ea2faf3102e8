package io.spillway.expression;

import io.spillway.kernel.Abi;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.CheckOverflow;
import org.apache.spark.sql.catalyst.expressions.DecimalDivideWithOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.NumericType;

/** Arithmetic. In ANSI and TRY modes only what cannot overflow: floating-point numbers. */
final class ArithmeticCompiler {
  private static final String GROUP = "Numbers";
  private static final String LEGACY = "of whole numbers and decimals not in ANSI mode";

  private ArithmeticCompiler() {}

  static void addTo(Functions.Catalogue catalogue) {
    catalogue.add(
        GROUP,
        "a + b",
        LEGACY,
        Add.class,
        (c, e) -> binary(c, (Add) e, ((Add) e).evalMode(), Abi.OP_ADD));
    catalogue.add(
        GROUP,
        "a - b",
        LEGACY,
        Subtract.class,
        (c, e) -> binary(c, (Subtract) e, ((Subtract) e).evalMode(), Abi.OP_SUB));
    catalogue.add(
        GROUP,
        "a * b",
        LEGACY,
        Multiply.class,
        (c, e) -> binary(c, (Multiply) e, ((Multiply) e).evalMode(), Abi.OP_MUL));
    catalogue.add(
        GROUP, "a / b", "not in ANSI mode", Divide.class, (c, e) -> divide(c, (Divide) e));
    catalogue.add(
        GROUP,
        "-a",
        "of whole numbers not in ANSI mode",
        UnaryMinus.class,
        (c, e) -> negate(c, (UnaryMinus) e));
    catalogue.hidden(UnscaledValue.class, (c, e) -> unscaled(c, (UnscaledValue) e));
    catalogue.hidden(MakeDecimal.class, (c, e) -> makeDecimal(c, (MakeDecimal) e));
    catalogue.hidden(
        DecimalDivideWithOverflowCheck.class,
        (c, e) -> average(c, (DecimalDivideWithOverflowCheck) e));
    catalogue.hidden(CheckOverflow.class, (c, e) -> checkOverflow(c, (CheckOverflow) e));
  }

  /**
   * @param op {@code OP_ADD}, {@code OP_SUB} or {@code OP_MUL}
   */
  static int binary(
      ExpressionCompiler c, BinaryArithmetic e, scala.Enumeration.Value evalMode, int op)
      throws UnsupportedException {
    DataType type = e.dataType();
    requireNumber(type);
    if (!isFloating(type)) {
      requireLegacy(c, evalMode, e);
    }
    int left = c.compile(e.left());
    int right = c.compile(e.right());
    if (type instanceof DecimalType to) {
      DecimalType leftType = Functions.decimal(e.left());
      DecimalType rightType = Functions.decimal(e.right());

      if (op == Abi.OP_MUL) {
        return c.decimals().multiply(left, leftType, right, rightType, to);
      }
      int decimalOp = op == Abi.OP_ADD ? Abi.OP_DEC_ADD : Abi.OP_DEC_SUB;
      return c.decimals().add(decimalOp, left, leftType, right, rightType, to);
    }
    int stored = c.program().typeOf(left);
    int computed = computedType(stored);
    int result =
        c.program()
            .binary(
                op,
                computed,
                c.casts().converted(left, computed),
                c.casts().converted(right, computed),
                0);
    return c.casts().converted(result, stored);
  }

  static int divide(ExpressionCompiler c, Divide e) throws UnsupportedException {
    if (e.dataType() instanceof DecimalType to) {
      requireLegacy(c, e.evalMode(), e);
      return c.decimals()
          .divide(
              c.compile(e.left()),
              Functions.decimal(e.left()),
              c.compile(e.right()),
              Functions.decimal(e.right()),
              to);
    }
    if (!(e.dataType() instanceof DoubleType)) {
      throw new UnsupportedException("division of " + e.dataType().simpleString());
    }
    // TRY is the same as LEGACY here: null for a zero divisor.
    if (c.ansi() || e.evalMode().equals(EvalMode.ANSI())) {
      throw new UnsupportedException("ANSI mode: division by zero fails");
    }
    return c.program().binary(Abi.OP_DIV, Abi.T_F64, c.compile(e.left()), c.compile(e.right()), 0);
  }

  /** Sum over count, as an average of decimals ends. */
  static int average(ExpressionCompiler c, DecimalDivideWithOverflowCheck e)
      throws UnsupportedException {
    if (!e.nullOnOverflow()) {
      throw ansi(e);
    }
    return c.decimals()
        .divide(
            c.compile(e.left()),
            Functions.decimal(e.left()),
            c.compile(e.right()),
            Functions.decimal(e.right()),
            Functions.decimal(e));
  }

  static int negate(ExpressionCompiler c, UnaryMinus e) throws UnsupportedException {
    DataType type = e.dataType();
    requireNumber(type);
    boolean mayOverflow = !isFloating(type) && !(type instanceof DecimalType);
    if (mayOverflow && (c.ansi() || e.failOnError())) {
      throw ansi(e);
    }
    int value = c.compile(e.child());
    int stored = c.program().typeOf(value);
    int computed = computedType(stored);
    int result = c.program().unary(Abi.OP_NEG, computed, c.casts().converted(value, computed), 0);
    return c.casts().converted(result, stored);
  }

  static int unscaled(ExpressionCompiler c, UnscaledValue e) throws UnsupportedException {
    if (Functions.decimal(e.child()).precision() > Decimal.MAX_LONG_DIGITS()) {
      throw new UnsupportedException("unscaled value of " + e.child().dataType().simpleString());
    }
    // A decimal of up to 18 digits is held as its unscaled value already.
    return c.compile(e.child());
  }

  static int makeDecimal(ExpressionCompiler c, MakeDecimal e) throws UnsupportedException {
    if (!e.nullOnOverflow()) {
      throw ansi(e);
    }
    return c.decimals().ofUnscaled(c.compile(e.child()), Functions.decimal(e));
  }

  static int checkOverflow(ExpressionCompiler c, CheckOverflow e) throws UnsupportedException {
    if (!e.nullOnOverflow()) {
      throw ansi(e);
    }
    DecimalType from = Functions.decimal(e.child());
    return c.decimals().cast(c.compile(e.child()), from, e.dataType());
  }

  /** Java computes bytes and shorts as ints and narrows the result; so do programs. */
  static int computedType(int stored) {
    return stored == Abi.T_I8 || stored == Abi.T_I16 ? Abi.T_I32 : stored;
  }

  private static boolean isFloating(DataType type) {
    return type instanceof FloatType || type instanceof DoubleType;
  }

  private static void requireNumber(DataType type) throws UnsupportedException {
    if (!(type instanceof NumericType)) {
      throw new UnsupportedException("arithmetic on " + type.simpleString());
    }
  }

  static void requireLegacy(ExpressionCompiler c, scala.Enumeration.Value evalMode, Expression e)
      throws UnsupportedException {
    if (c.ansi() || !evalMode.equals(EvalMode.LEGACY())) {
      throw ansi(e);
    }
  }

  static UnsupportedException ansi(Expression e) {
    return new UnsupportedException("ANSI mode: " + e.prettyName() + " may overflow");
  }
}
