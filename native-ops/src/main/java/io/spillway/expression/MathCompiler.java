package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.BRound;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.BitwiseAnd;
import org.apache.spark.sql.catalyst.expressions.BitwiseNot;
import org.apache.spark.sql.catalyst.expressions.BitwiseOr;
import org.apache.spark.sql.catalyst.expressions.BitwiseXor;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.Murmur3Hash;
import org.apache.spark.sql.catalyst.expressions.Pmod;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.Round;
import org.apache.spark.sql.catalyst.expressions.RoundCeil;
import org.apache.spark.sql.catalyst.expressions.RoundFloor;
import org.apache.spark.sql.catalyst.expressions.ShiftLeft;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.catalyst.expressions.ShiftRightUnsigned;
import org.apache.spark.sql.catalyst.expressions.Signum;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.LongType;

/** Remainders, rounding, bits, hashes. In ANSI mode only what cannot fail. */
final class MathCompiler {
  private static final String GROUP = "Numbers";
  private static final String LEGACY = "not in ANSI mode";

  private MathCompiler() {}

  static void addTo(Functions.Catalogue catalogue) {
    catalogue.add(
        GROUP,
        "a % b, mod",
        "not of decimals; " + LEGACY,
        Remainder.class,
        (c, e) -> divide(c, (Remainder) e, ((Remainder) e).evalMode(), ExprAbi.OP_REM));
    catalogue.add(
        GROUP,
        "pmod",
        "not of decimals; " + LEGACY,
        Pmod.class,
        (c, e) -> divide(c, (Pmod) e, ((Pmod) e).evalMode(), ExprAbi.OP_PMOD));
    catalogue.add(
        GROUP,
        "a div b",
        "not of decimals; " + LEGACY,
        IntegralDivide.class,
        (c, e) -> divide(c, (IntegralDivide) e, ((IntegralDivide) e).evalMode(), ExprAbi.OP_IDIV));
    catalogue.add(
        GROUP, "abs", "of whole numbers " + LEGACY, Abs.class, (c, e) -> absolute(c, (Abs) e));
    catalogue.add(GROUP, "+a", "", UnaryPositive.class, Functions::onlyChild);
    catalogue.add(
        GROUP,
        "round",
        "of floats and doubles "
            + Functions.BY_SPARK
            + "; of whole numbers to 18 digits before the point, "
            + LEGACY,
        Round.class,
        (c, e) -> round(c, e, ExprAbi.ROUND_HALF_UP, ((Round) e).ansiEnabled()));
    catalogue.add(
        GROUP,
        "bround",
        "as round",
        BRound.class,
        (c, e) -> round(c, e, ExprAbi.ROUND_HALF_EVEN, ((BRound) e).ansiEnabled()));
    catalogue.add(
        GROUP,
        "ceil",
        "",
        Ceil.class,
        (c, e) -> whole(c, e, ExprAbi.OP_CEIL, ExprAbi.ROUND_CEILING));
    catalogue.add(
        GROUP,
        "floor",
        "",
        Floor.class,
        (c, e) -> whole(c, e, ExprAbi.OP_FLOOR, ExprAbi.ROUND_FLOOR));
    catalogue.add(
        GROUP,
        "ceil(a, n)",
        "",
        RoundCeil.class,
        (c, e) -> round(c, e, ExprAbi.ROUND_CEILING, false));
    catalogue.add(
        GROUP,
        "floor(a, n)",
        "",
        RoundFloor.class,
        (c, e) -> round(c, e, ExprAbi.ROUND_FLOOR, false));
    catalogue.add(GROUP, "sqrt", "", Sqrt.class, (c, e) -> real(c, e, ExprAbi.OP_SQRT));
    catalogue.add(GROUP, "sign", "", Signum.class, (c, e) -> real(c, e, ExprAbi.OP_SIGNUM));
    catalogue.add(GROUP, "a & b", "", BitwiseAnd.class, (c, e) -> bits(c, e, ExprAbi.OP_BIT_AND));
    catalogue.add(GROUP, "a | b", "", BitwiseOr.class, (c, e) -> bits(c, e, ExprAbi.OP_BIT_OR));
    catalogue.add(GROUP, "a ^ b", "", BitwiseXor.class, (c, e) -> bits(c, e, ExprAbi.OP_BIT_XOR));
    catalogue.add(
        GROUP,
        "~a",
        "",
        BitwiseNot.class,
        (c, e) -> {
          int value = Functions.onlyChild(c, e);
          return c.program().unary(ExprAbi.OP_BIT_NOT, c.program().typeOf(value), value, 0);
        });
    catalogue.add(
        GROUP, "shiftleft", "", ShiftLeft.class, (c, e) -> bits(c, e, ExprAbi.OP_SHIFT_LEFT));
    catalogue.add(
        GROUP, "shiftright", "", ShiftRight.class, (c, e) -> bits(c, e, ExprAbi.OP_SHIFT_RIGHT));
    catalogue.add(
        GROUP,
        "shiftrightunsigned",
        "",
        ShiftRightUnsigned.class,
        (c, e) -> bits(c, e, ExprAbi.OP_SHIFT_RIGHT_UNSIGNED));
    catalogue.add(
        "Other",
        "hash",
        "not of arrays, maps and structs",
        Murmur3Hash.class,
        (c, e) -> murmur3(c, (Murmur3Hash) e));
  }

  private static int divide(
      ExpressionCompiler c, BinaryArithmetic e, scala.Enumeration.Value evalMode, int op)
      throws UnsupportedException {
    DataType type = e.left().dataType();
    if (type instanceof DecimalType) {
      throw new UnsupportedException(e.prettyName() + " of decimals");
    }
    ArithmeticCompiler.requireLegacy(c, evalMode, e);
    int left = c.compile(e.left());
    int stored = c.program().typeOf(left);
    int computed = ArithmeticCompiler.computedType(stored);
    int a = c.casts().converted(left, computed);
    int b = c.casts().converted(c.compile(e.right()), computed);
    return c.casts().converted(c.program().binary(op, computed, a, b, 0), stored);
  }

  private static int absolute(ExpressionCompiler c, Abs e) throws UnsupportedException {
    DataType type = e.dataType();
    boolean mayOverflow =
        !(type instanceof DecimalType)
            && !(type instanceof DoubleType)
            && !(type instanceof FloatType);
    if (mayOverflow && (c.ansi() || e.failOnError())) {
      throw ArithmeticCompiler.ansi(e);
    }
    int value = c.compile(e.child());
    int stored = c.program().typeOf(value);
    int computed = ArithmeticCompiler.computedType(stored);
    int result =
        c.program().unary(ExprAbi.OP_ABS, computed, c.casts().converted(value, computed), 0);
    return c.casts().converted(result, stored);
  }

  private static int real(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    Expression child = e.children().head();
    if (!(child.dataType() instanceof DoubleType)) {
      throw new UnsupportedException(e.prettyName() + " of " + child.dataType().simpleString());
    }
    return c.program().unary(op, Abi.T_F64, c.compile(child), 0);
  }

  private static int bits(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int left = c.compile(operands.get(0));
    int right = c.compile(operands.get(1));
    return c.program().binary(op, c.program().typeOf(left), left, right, 0);
  }

  /** To a whole number. */
  private static int whole(ExpressionCompiler c, Expression e, int op, int mode)
      throws UnsupportedException {
    Expression child = e.children().head();
    int value = c.compile(child);
    if (child.dataType() instanceof DecimalType from) {
      return c.decimals().rounded(value, from, (DecimalType) e.dataType(), 0, mode);
    }
    return child.dataType() instanceof LongType
        ? value
        : c.program().unary(op, Abi.T_I64, value, 0);
  }

  private static int round(ExpressionCompiler c, Expression e, int mode, boolean ansi)
      throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    if (!(operands.get(1).eval(null) instanceof Integer scale)) {
      throw new UnsupportedException("rounding to null digits");
    }
    DataType type = operands.get(0).dataType();
    if (type instanceof FloatType || type instanceof DoubleType) {
      // By way of the shortest decimal text of the number, which Java writes in its own manner.
      return c.hosted(e);
    }
    int value = c.compile(operands.get(0));
    if (type instanceof DecimalType from) {
      return c.decimals().rounded(value, from, (DecimalType) e.dataType(), scale, mode);
    }
    if (scale >= 0) {
      return value;
    }
    if (ansi || c.ansi()) {
      throw ArithmeticCompiler.ansi(e);
    }
    if (scale < -18) {
      throw new UnsupportedException("rounding to " + -scale + " digits before the point");
    }
    // Wider on the way, then cut to the type, as Java's big decimals are.
    int wide = c.casts().converted(value, Abi.T_I64);
    int down = c.program().unary(ExprAbi.OP_DEC_DOWN, Abi.T_I64, wide, -scale | mode << 8);
    int up = c.program().unary(Abi.OP_DEC_SCALE_UP, Abi.T_I128, down, -scale);
    int low = c.program().unary(ExprAbi.OP_DEC_LOW, Abi.T_I64, up, 0);
    return c.casts().converted(low, c.program().typeOf(value));
  }

  private static int murmur3(ExpressionCompiler c, Murmur3Hash e) throws UnsupportedException {
    int hash = c.program().constant(Abi.T_I32, e.seed());
    for (Expression child : ExpressionCompiler.list(e.children())) {
      hash = c.program().binary(ExprAbi.OP_MURMUR3, Abi.T_I32, c.compile(child), hash, 0);
    }
    return hash;
  }
}
