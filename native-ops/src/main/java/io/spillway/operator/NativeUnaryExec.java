package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;

/** A native operator with one child. */
abstract class NativeUnaryExec extends NativeExec {
  private static final long serialVersionUID = 1L;

  NativeUnaryExec(SparkPlan child) {
    super(child);
  }

  /** The same operator over another child. */
  abstract SparkPlan withChild(SparkPlan newChild);

  @Override
  final SparkPlan withChildren(List<SparkPlan> newChildren) {
    return withChild(newChildren.get(0));
  }

  /** The only child. */
  public final SparkPlan child() {
    return input(0);
  }
}
