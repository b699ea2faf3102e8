package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeCoalesceExec;
import java.util.List;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Fewer partitions without a shuffle. */
final class CoalesceCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof CoalesceExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.COALESCE;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    CoalesceExec coalesce = (CoalesceExec) node;
    Replacement.requireNativeForms(coalesce.child());
    return new Replacement(
        false,
        Replacement.Ordering.IGNORED,
        List.of(coalesce.child()),
        inputs -> new NativeCoalesceExec(coalesce.numPartitions(), inputs.get(0)));
  }
}
