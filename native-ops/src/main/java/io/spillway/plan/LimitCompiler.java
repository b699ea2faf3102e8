package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeLimitExec;
import org.apache.spark.sql.execution.GlobalLimitExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Limits inside a plan, of partitions and of everything. */
final class LimitCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof LocalLimitExec || node instanceof GlobalLimitExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.LIMIT;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    SparkPlan input = node.children().apply(0);
    Replacement.requireNativeForms(input);
    if (node instanceof GlobalLimitExec limit) {
      return Replacement.keepingOrder(
          input, child -> new NativeLimitExec(limit.limit(), limit.offset(), true, child));
    }
    int limit = ((LocalLimitExec) node).limit();
    return Replacement.keepingOrder(input, child -> new NativeLimitExec(limit, 0, false, child));
  }
}
