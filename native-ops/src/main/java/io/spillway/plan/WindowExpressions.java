package io.spillway.plan;

import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;

/** What values of window functions are put together with; nothing here overflows or fails. */
final class WindowExpressions {
  private WindowExpressions() {}

  static Expression divide(Expression left, Expression right) {
    return new Divide(left, right, EvalMode.LEGACY());
  }

  static Expression add(Expression left, Expression right) {
    return new Add(left, right, EvalMode.LEGACY());
  }

  static Expression subtract(Expression left, Expression right) {
    return new Subtract(left, right, EvalMode.LEGACY());
  }

  static Expression literal(long value) {
    return new Literal(value, DataTypes.LongType);
  }

  static Expression asLong(Expression child) {
    return as(DataTypes.LongType, child);
  }

  static Expression asDouble(Expression child) {
    return as(DataTypes.DoubleType, child);
  }

  static Expression as(DataType type, Expression child) {
    return child.dataType().equals(type)
        ? child
        : new Cast(child, type, Option.empty(), EvalMode.LEGACY());
  }
}
