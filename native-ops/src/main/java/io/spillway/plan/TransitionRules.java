package io.spillway.plan;

import io.spillway.operator.NativeBroadcastHashJoinExec;
import io.spillway.operator.NativeColumnarToRowExec;
import io.spillway.operator.NativeOperator;
import io.spillway.operator.NativeRowToColumnarExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import scala.collection.JavaConverters;

/**
 * Replaces operators before Spark inserts its transitions between rows and columns, and those of
 * its transitions that touch a native operator afterwards. Stateless.
 */
public final class TransitionRules extends ColumnarRule {
  @Override
  public Rule<SparkPlan> preColumnarTransitions() {
    return new NativeRules();
  }

  @Override
  public Rule<SparkPlan> postColumnarTransitions() {
    return new NativeTransitions();
  }

  /** Spark's own transitions work on the JVM heap, value by value. */
  private static final class NativeTransitions extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      List<SparkPlan> children = new ArrayList<>();
      boolean changed = false;
      for (SparkPlan child : JavaConverters.seqAsJavaList(plan.children())) {
        SparkPlan made = apply(child);
        if (plan instanceof NativeOperator && made instanceof RowToColumnarExec transition) {
          made = replaced(transition, new NativeRowToColumnarExec(transition.child()));
        }
        changed |= made != child;
        children.add(made);
      }
      SparkPlan node =
          changed ? plan.withNewChildren(JavaConverters.asScalaBuffer(children).toList()) : plan;
      if (node instanceof ColumnarToRowExec transition
          && NativeBroadcastHashJoinExec.broadcast(transition.child()).isDefined()) {
        // Whoever reads a broadcast asks for it, and for no rows.
        return transition.child();
      }
      if (node instanceof ColumnarToRowExec transition && givesNativeBatches(transition.child())) {
        return replaced(node, new NativeColumnarToRowExec(transition.child()));
      }
      return node;
    }

    /** Whether its batches are a native operator's, through whatever Spark wraps exchanges in. */
    private static boolean givesNativeBatches(SparkPlan plan) {
      if (plan instanceof QueryStageExec stage) {
        return givesNativeBatches(stage.plan());
      }
      if (plan instanceof AQEShuffleReadExec || plan instanceof ReusedExchangeExec) {
        return givesNativeBatches(plan.children().head());
      }
      return plan instanceof NativeOperator;
    }

    private static SparkPlan replaced(SparkPlan old, SparkPlan made) {
      made.copyTagsFrom(old);
      return made;
    }
  }
}
