package io.spillway.expression;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.ScalarSubquery;
import scala.collection.JavaConverters;

/** The values of scalar subqueries, which Spark computes before the operator that uses them. */
public final class SubqueryValues {
  private SubqueryValues() {}

  /**
   * The program with the values in it. For the driver, when the operator is executed.
   *
   * @param program compiled with {@link ExpressionCompiler#compileWithSubqueries}
   * @param expressions those that it was compiled from, whose subqueries have run
   */
  public static Program fill(Program program, List<? extends Expression> expressions) {
    Map<ExprId, ScalarSubquery> subqueries = new HashMap<>();
    expressions.forEach(expression -> collect(expression, subqueries));
    return subqueries.isEmpty()
        ? program
        : program.withValues(late -> value(late, subqueries.get(late.id())));
  }

  private static void collect(Expression expression, Map<ExprId, ScalarSubquery> subqueries) {
    if (expression instanceof ScalarSubquery subquery) {
      subqueries.put(subquery.exprId(), subquery);
    }
    JavaConverters.seqAsJavaList(expression.children())
        .forEach(child -> collect(child, subqueries));
  }

  private static Object value(LateValue late, ScalarSubquery subquery) {
    if (subquery == null) {
      throw new IllegalStateException("no subquery has the id " + late.id());
    }
    Object value = subquery.eval(null);
    if (late.field() != LateValue.WHOLE && value != null) {
      InternalRow row = (InternalRow) value;
      value = row.isNullAt(late.field()) ? null : row.get(late.field(), late.type());
    }
    return LiteralCompiler.constant(value, late.type());
  }
}
