package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeFilterExec;
import java.util.List;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Filters. */
final class FilterCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof FilterExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.FILTER;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    FilterExec filter = (FilterExec) node;
    // A filter copies every column of the rows that it keeps.
    Replacement.requireNativeForms(filter.child());
    Program program =
        ExpressionCompiler.compileWithSubqueries(
            List.of(filter.condition()), Replacement.output(filter.child()), planning.ansi());
    return Replacement.keepingOrder(
        filter.child(), child -> new NativeFilterExec(filter.condition(), program, child));
  }
}
