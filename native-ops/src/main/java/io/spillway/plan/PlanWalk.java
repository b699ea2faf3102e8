package io.spillway.plan;

import io.spillway.operator.NativeOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.BaseSubqueryExec;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.CommandResultExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ReusedSubqueryExec;
import org.apache.spark.sql.execution.RowToColumnarTransition;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import scala.collection.JavaConverters;

/**
 * Walks all operators of a plan, each once: through adaptive execution's stages, subqueries,
 * results of commands and the plans of cached frames. One use, one thread.
 */
final class PlanWalk {
  /** What an operator is. */
  enum Kind {
    NATIVE,
    JVM,
    TRANSITION
  }

  /** Hears of each operator, parents first. */
  interface Visitor {
    void visit(SparkPlan node, Kind kind, int depth);
  }

  private final Visitor visitor;
  private final Set<SparkPlan> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private PlanWalk(Visitor visitor) {
    this.visitor = visitor;
  }

  static void of(SparkPlan plan, Visitor visitor) {
    new PlanWalk(visitor).walk(plan, 0);
  }

  private void walk(SparkPlan node, int depth) {
    if (!seen.add(node)) {
      return;
    }
    if (node instanceof ReusedExchangeExec || node instanceof ReusedSubqueryExec) {
      return;
    }
    int childDepth = depth;
    if (!isWrapper(node)) {
      visitor.visit(node, kind(node), depth);
      childDepth = depth + 1;
    }
    for (SparkPlan inner : inner(node)) {
      walk(inner, childDepth);
    }
    for (SparkPlan subquery : list(node.subqueries())) {
      walk(subquery, childDepth);
    }
    for (SparkPlan child : list(node.children())) {
      walk(child, childDepth);
    }
  }

  /** Plans that a node holds without having them as children. */
  private static List<SparkPlan> inner(SparkPlan node) {
    List<SparkPlan> inner = new ArrayList<>();
    if (node instanceof AdaptiveSparkPlanExec adaptive) {
      inner.add(adaptive.executedPlan());
    } else if (node instanceof QueryStageExec stage) {
      inner.add(stage.plan());
    } else if (node instanceof InMemoryTableScanExec scan) {
      inner.add(CachedScans.cachedPlan(scan));
    } else if (node instanceof CommandResultExec command) {
      inner.add(command.commandPhysicalPlan());
    }
    return inner;
  }

  private static boolean isWrapper(SparkPlan node) {
    return node instanceof AdaptiveSparkPlanExec
        || node instanceof QueryStageExec
        || node instanceof WholeStageCodegenExec
        || node instanceof InputAdapter
        || node instanceof AQEShuffleReadExec
        || node instanceof CommandResultExec
        || node instanceof BaseSubqueryExec;
  }

  private static Kind kind(SparkPlan node) {
    if (node instanceof NativeOperator operator) {
      return operator.isTransition() ? Kind.TRANSITION : Kind.NATIVE;
    }
    return node instanceof ColumnarToRowTransition || node instanceof RowToColumnarTransition
        ? Kind.TRANSITION
        : Kind.JVM;
  }

  private static List<SparkPlan> list(scala.collection.Seq<SparkPlan> plans) {
    return JavaConverters.seqAsJavaList(plans);
  }
}
