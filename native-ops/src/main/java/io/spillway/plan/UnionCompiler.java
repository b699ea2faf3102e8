package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeUnionExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import scala.collection.JavaConverters;

/** Unions, so that the batches of native inputs stay batches. */
final class UnionCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof UnionExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.UNION;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    for (SparkPlan child : JavaConverters.seqAsJavaList(node.children())) {
      Replacement.requireNativeForms(child);
    }
    return new Replacement(
        false,
        Replacement.Ordering.IGNORED,
        JavaConverters.seqAsJavaList(node.children()),
        NativeUnionExec::new);
  }
}
