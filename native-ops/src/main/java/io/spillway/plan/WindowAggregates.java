package io.spillway.plan;

import static io.spillway.plan.WindowExpressions.as;
import static io.spillway.plan.WindowExpressions.asDouble;
import static io.spillway.plan.WindowExpressions.divide;

import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.WindowAbi;
import org.apache.spark.sql.catalyst.expressions.DecimalDivideWithOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;

/** Aggregates over rows of a window, as expressions over sums, counts and the like. */
final class WindowAggregates {
  /** A sum of values of more digits may pass what a decimal holds, and come back again. */
  private static final int SUM_DIGITS = 28;

  /** The digits that a sum has beyond those of its values. */
  private static final int COUNT_DIGITS = 10;

  /** A count as a decimal. */
  private static final DecimalType COUNT_TYPE = new DecimalType(20, 0);

  private WindowAggregates() {}

  /**
   * The value of an aggregate.
   *
   * @throws UnsupportedException with the reason if it stays on the JVM
   */
  static Expression value(AggregateFunction function, Covered rows) throws UnsupportedException {
    if (function instanceof Count count) {
      if (count.children().size() != 1) {
        throw new UnsupportedException("count of " + count.children().size() + " expressions");
      }
      Expression child = count.children().head();
      return rows.figure(
          WindowAbi.OP_COUNT, child.nullable() ? child : null, DataTypes.LongType, false);
    }
    if (function instanceof Sum sum) {
      return sum(sum, rows);
    }
    if (function instanceof Average average) {
      return average(average, rows);
    }
    if (function instanceof Min min) {
      return alike(WindowAbi.OP_MIN, min.child(), rows, false);
    }
    if (function instanceof Max max) {
      return alike(WindowAbi.OP_MAX, max.child(), rows, false);
    }
    if (function instanceof First first) {
      return alike(WindowAbi.OP_FIRST, first.child(), rows, first.ignoreNulls());
    }
    if (function instanceof Last last) {
      return alike(WindowAbi.OP_LAST, last.child(), rows, last.ignoreNulls());
    }
    throw new UnsupportedException("window function " + function.prettyName());
  }

  private static Expression sum(Sum sum, Covered rows) throws UnsupportedException {
    DataType type = sum.child().dataType();
    if (!sum.evalMode().equals(EvalMode.LEGACY())) {
      throw new UnsupportedException("sum that may fail or answer null on overflow");
    }
    if (type instanceof DecimalType decimal) {
      int op = decimal.precision() > SUM_DIGITS ? WindowAbi.OP_SUM_DEC : WindowAbi.OP_SUM_I128;
      return rows.figure(op, sum.child(), sum.dataType(), false);
    }
    if (type instanceof IntegralType) {
      return rows.figure(WindowAbi.OP_SUM_I64, sum.child(), DataTypes.LongType, false);
    }
    if (sum.dataType().equals(DataTypes.DoubleType)) {
      return rows.figure(WindowAbi.OP_SUM_F64, asDouble(sum.child()), DataTypes.DoubleType, false);
    }
    throw new UnsupportedException("sum of " + type.simpleString());
  }

  private static Expression average(Average average, Covered rows) throws UnsupportedException {
    if (!average.evalMode().equals(EvalMode.LEGACY())) {
      throw new UnsupportedException("avg that may fail or answer null on overflow");
    }
    if (average.child().dataType() instanceof DecimalType decimal) {
      return average(average, decimal, rows);
    }
    if (!average.dataType().equals(DataTypes.DoubleType)) {
      throw new UnsupportedException("avg of " + average.child().dataType().simpleString());
    }
    Expression child = asDouble(average.child());
    Expression sum = rows.figure(WindowAbi.OP_SUM_F64, child, DataTypes.DoubleType, false);
    Expression count = rows.figure(WindowAbi.OP_COUNT, child, DataTypes.LongType, false);
    return divide(sum, asDouble(count));
  }

  /** Divided as Spark's own average ends. */
  private static Expression average(Average average, DecimalType decimal, Covered rows)
      throws UnsupportedException {
    if (decimal.precision() > SUM_DIGITS) {
      // The sum may have more digits than any decimal, and its average not.
      throw new UnsupportedException("avg of " + decimal.simpleString() + " in a window");
    }
    Expression sum =
        rows.figure(
            WindowAbi.OP_SUM_I128,
            average.child(),
            new DecimalType(decimal.precision() + COUNT_DIGITS, decimal.scale()),
            false);
    Expression count = rows.figure(WindowAbi.OP_COUNT, average.child(), DataTypes.LongType, false);
    return new DecimalDivideWithOverflowCheck(
        sum, as(COUNT_TYPE, count), (DecimalType) average.dataType(), null, true);
  }

  private static Expression alike(int op, Expression child, Covered rows, boolean ignoreNulls)
      throws UnsupportedException {
    return rows.figure(op, child, child.dataType(), ignoreNulls);
  }
}
