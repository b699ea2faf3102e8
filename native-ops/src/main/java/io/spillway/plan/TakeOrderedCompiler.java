package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeTopNExec;
import io.spillway.operator.SortSpec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;

/**
 * The first rows in order. Only what each partition does is native: Spark's own operator stays
 * above it for what is left, a few rows a partition.
 */
final class TakeOrderedCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof TakeOrderedAndProjectExec take
        && !(take.child() instanceof NativeTopNExec);
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.TAKE_ORDERED;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    TakeOrderedAndProjectExec take = (TakeOrderedAndProjectExec) node;
    SortSpec spec =
        SortCompiler.spec(take.sortOrder(), take.child(), planning.ansi()).withLimit(take.limit());
    Replacement.requireNativeForms(node);
    return Replacement.keepingOrder(
        take.child(),
        child ->
            new TakeOrderedAndProjectExec(
                take.limit(),
                take.sortOrder(),
                take.projectList(),
                new NativeTopNExec(take.sortOrder(), spec, child),
                take.offset()));
  }
}
