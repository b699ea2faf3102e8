package io.spillway.plan;

import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.Exchange;
import scala.collection.JavaConverters;

/**
 * Puts native operators into the plans that adaptive execution cuts into stages, and marks the
 * exchanges at which it does: later, when a stage is made, its exchange is on top of a plan of its
 * own, and has the form that its readers were planned for. Stateless.
 */
public final class StagePreparation extends Rule<SparkPlan> {
  private static final TreeNodeTag<Boolean> STAGE = new TreeNodeTag<>("spillway.stage");

  @Override
  public SparkPlan apply(SparkPlan plan) {
    SparkPlan prepared = new NativeRules().apply(plan);
    mark(prepared);
    return prepared;
  }

  private static void mark(SparkPlan node) {
    if (node instanceof Exchange) {
      node.setTagValue(STAGE, true);
    }
    JavaConverters.seqAsJavaList(node.children()).forEach(StagePreparation::mark);
  }

  /** Whether a plan is a stage of adaptive execution's with its exchange on top. */
  static boolean isStage(SparkPlan plan) {
    return plan instanceof Exchange && plan.getTagValue(STAGE).isDefined();
  }
}
