package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
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
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;

/** Comparisons, three-valued logic, tests for null and NaN. */
final class PredicateCompiler {
  private static final String GROUP = "Comparisons and logic";

  private PredicateCompiler() {}

  static void addTo(Functions.Catalogue catalogue) {
    catalogue.add(GROUP, "a = b", "", EqualTo.class, (c, e) -> comparison(c, e, Abi.OP_EQ, false));
    catalogue.add(
        GROUP,
        "a <=> b",
        "",
        EqualNullSafe.class,
        (c, e) -> comparison(c, e, Abi.OP_EQ_NULL_SAFE, false));
    catalogue.add(GROUP, "a < b", "", LessThan.class, (c, e) -> comparison(c, e, Abi.OP_LT, false));
    catalogue.add(
        GROUP, "a <= b", "", LessThanOrEqual.class, (c, e) -> comparison(c, e, Abi.OP_LE, false));
    catalogue.add(
        GROUP, "a > b", "", GreaterThan.class, (c, e) -> comparison(c, e, Abi.OP_LT, true));
    catalogue.add(
        GROUP, "a >= b", "", GreaterThanOrEqual.class, (c, e) -> comparison(c, e, Abi.OP_LE, true));
    catalogue.add(GROUP, "and, between", "", And.class, (c, e) -> logic(c, e, Abi.OP_AND));
    catalogue.add(GROUP, "or", "", Or.class, (c, e) -> logic(c, e, Abi.OP_OR));
    catalogue.add(GROUP, "not", "", Not.class, (c, e) -> test(c, e, Abi.OP_NOT));
    catalogue.add(GROUP, "is null", "", IsNull.class, (c, e) -> test(c, e, Abi.OP_IS_NULL));
    catalogue.add(
        GROUP, "is not null", "", IsNotNull.class, (c, e) -> test(c, e, Abi.OP_IS_NOT_NULL));
    catalogue.add(GROUP, "isnan", "", IsNaN.class, PredicateCompiler::isNaN);
    catalogue.hidden(KnownNotNull.class, Functions::onlyChild);
    catalogue.hidden(KnownNullable.class, Functions::onlyChild);
    catalogue.hidden(KnownFloatingPointNormalized.class, Functions::onlyChild);
    catalogue.hidden(NormalizeNaNAndZero.class, PredicateCompiler::normalize);
  }

  private static int comparison(ExpressionCompiler c, Expression e, int op, boolean swapped)
      throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    Functions.requireSameType(operands.get(0).dataType(), operands.get(1).dataType());
    int left = c.compile(operands.get(0));
    int right = c.compile(operands.get(1));
    return c.program().binary(op, Abi.T_BOOL, swapped ? right : left, swapped ? left : right, 0);
  }

  private static int logic(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int left = c.compile(operands.get(0));
    int right = c.compile(operands.get(1));
    return c.program().binary(op, Abi.T_BOOL, left, right, 0);
  }

  private static int test(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    return c.program().unary(op, Abi.T_BOOL, Functions.onlyChild(c, e), 0);
  }

  private static int normalize(ExpressionCompiler c, Expression e) throws UnsupportedException {
    int value = Functions.onlyChild(c, e);
    return c.program().unary(Abi.OP_NORM_FLOAT, c.program().typeOf(value), value, 0);
  }

  private static int isNaN(ExpressionCompiler c, Expression e) throws UnsupportedException {
    return isNaN(c, Functions.onlyChild(c, e));
  }

  /** Never null: a null is not NaN. */
  static int isNaN(ExpressionCompiler c, int value) {
    int type = c.program().typeOf(value);
    Object nan = type == Abi.T_F32 ? (Object) Float.NaN : (Object) Double.NaN;
    // NaN is equal to NaN here.
    return c.program()
        .binary(Abi.OP_EQ_NULL_SAFE, Abi.T_BOOL, value, c.program().constant(type, nan), 0);
  }
}
