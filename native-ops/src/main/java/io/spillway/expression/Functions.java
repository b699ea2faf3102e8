package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.CheckOverflow;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.KnownNotNull;
import org.apache.spark.sql.catalyst.expressions.KnownNullable;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.Year;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;

/** Which class of expression is compiled by what. */
final class Functions {
  /** Compiles one class of expression, its children first. */
  @FunctionalInterface
  interface Handler {
    int compile(ExpressionCompiler compiler, Expression expression) throws UnsupportedException;
  }

  private static final Map<Class<?>, Handler> HANDLERS = new HashMap<>();

  static {
    HANDLERS.put(
        Add.class,
        (c, e) -> ArithmeticCompiler.binary(c, (Add) e, ((Add) e).evalMode(), Abi.OP_ADD));
    HANDLERS.put(
        Subtract.class,
        (c, e) ->
            ArithmeticCompiler.binary(c, (Subtract) e, ((Subtract) e).evalMode(), Abi.OP_SUB));
    HANDLERS.put(
        Multiply.class,
        (c, e) ->
            ArithmeticCompiler.binary(c, (Multiply) e, ((Multiply) e).evalMode(), Abi.OP_MUL));
    HANDLERS.put(Divide.class, (c, e) -> ArithmeticCompiler.divide(c, (Divide) e));
    HANDLERS.put(UnaryMinus.class, (c, e) -> ArithmeticCompiler.negate(c, (UnaryMinus) e));
    HANDLERS.put(UnscaledValue.class, (c, e) -> ArithmeticCompiler.unscaled(c, (UnscaledValue) e));
    HANDLERS.put(MakeDecimal.class, (c, e) -> ArithmeticCompiler.makeDecimal(c, (MakeDecimal) e));
    HANDLERS.put(
        CheckOverflow.class, (c, e) -> ArithmeticCompiler.checkOverflow(c, (CheckOverflow) e));

    HANDLERS.put(EqualTo.class, (c, e) -> comparison(c, e, Abi.OP_EQ, false));
    HANDLERS.put(EqualNullSafe.class, (c, e) -> comparison(c, e, Abi.OP_EQ_NULL_SAFE, false));
    HANDLERS.put(LessThan.class, (c, e) -> comparison(c, e, Abi.OP_LT, false));
    HANDLERS.put(LessThanOrEqual.class, (c, e) -> comparison(c, e, Abi.OP_LE, false));
    HANDLERS.put(GreaterThan.class, (c, e) -> comparison(c, e, Abi.OP_LT, true));
    HANDLERS.put(GreaterThanOrEqual.class, (c, e) -> comparison(c, e, Abi.OP_LE, true));

    HANDLERS.put(And.class, (c, e) -> binary(c, e, Abi.OP_AND));
    HANDLERS.put(Or.class, (c, e) -> binary(c, e, Abi.OP_OR));
    HANDLERS.put(Not.class, (c, e) -> unaryToBoolean(c, e, Abi.OP_NOT));
    HANDLERS.put(IsNull.class, (c, e) -> unaryToBoolean(c, e, Abi.OP_IS_NULL));
    HANDLERS.put(IsNotNull.class, (c, e) -> unaryToBoolean(c, e, Abi.OP_IS_NOT_NULL));
    HANDLERS.put(IsNaN.class, Functions::isNaN);
    HANDLERS.put(StartsWith.class, (c, e) -> binary(c, e, Abi.OP_STARTS_WITH));
    HANDLERS.put(EndsWith.class, (c, e) -> binary(c, e, Abi.OP_ENDS_WITH));
    HANDLERS.put(Contains.class, (c, e) -> binary(c, e, Abi.OP_CONTAINS));
    HANDLERS.put(Year.class, Functions::year);

    HANDLERS.put(KnownNotNull.class, Functions::onlyChild);
    HANDLERS.put(KnownNullable.class, Functions::onlyChild);
    HANDLERS.put(KnownFloatingPointNormalized.class, Functions::onlyChild);
    HANDLERS.put(NormalizeNaNAndZero.class, Functions::normalize);

    ConditionalCompiler.addTo(HANDLERS);
  }

  private Functions() {}

  /** Null if expressions of this class stay on the JVM. */
  static Handler handler(Expression expression) {
    return HANDLERS.get(expression.getClass());
  }

  /** The kernels compare values of one type; decimals need one scale, too. */
  static void requireSameType(DataType left, DataType right) throws UnsupportedException {
    if (!left.equals(right)) {
      throw new UnsupportedException(
          "operands of different types, " + left.simpleString() + " and " + right.simpleString());
    }
  }

  private static int comparison(ExpressionCompiler c, Expression e, int op, boolean swapped)
      throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    requireSameType(operands.get(0).dataType(), operands.get(1).dataType());
    int left = c.compile(operands.get(0));
    int right = c.compile(operands.get(1));
    return c.program().binary(op, Abi.T_BOOL, swapped ? right : left, swapped ? left : right, 0);
  }

  private static int binary(ExpressionCompiler c, Expression e, int op)
      throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int left = c.compile(operands.get(0));
    int right = c.compile(operands.get(1));
    return c.program().binary(op, Abi.T_BOOL, left, right, 0);
  }

  private static int unaryToBoolean(ExpressionCompiler c, Expression e, int op)
      throws UnsupportedException {
    return c.program().unary(op, Abi.T_BOOL, onlyChild(c, e), 0);
  }

  private static int onlyChild(ExpressionCompiler c, Expression e) throws UnsupportedException {
    return c.compile(e.children().head());
  }

  private static int normalize(ExpressionCompiler c, Expression e) throws UnsupportedException {
    int value = onlyChild(c, e);
    return c.program().unary(Abi.OP_NORM_FLOAT, c.program().typeOf(value), value, 0);
  }

  private static int isNaN(ExpressionCompiler c, Expression e) throws UnsupportedException {
    int value = onlyChild(c, e);
    int type = c.program().typeOf(value);
    Object nan = type == Abi.T_F32 ? (Object) Float.NaN : (Object) Double.NaN;
    // NaN is equal to NaN here, and a null is not NaN.
    return c.program()
        .binary(Abi.OP_EQ_NULL_SAFE, Abi.T_BOOL, value, c.program().constant(type, nan), 0);
  }

  private static int year(ExpressionCompiler c, Expression e) throws UnsupportedException {
    DataType type = e.children().head().dataType();
    if (!(type instanceof DateType)) {
      throw new UnsupportedException("year of " + type.simpleString());
    }
    return c.program().unary(Abi.OP_YEAR, Abi.T_I32, onlyChild(c, e), 0);
  }

  static DecimalType decimal(Expression e) {
    return (DecimalType) e.dataType();
  }
}
