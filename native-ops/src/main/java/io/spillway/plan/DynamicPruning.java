package io.spillway.plan;

import io.spillway.operator.NativeColumnarToRowExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.BaseSubqueryExec;
import org.apache.spark.sql.execution.InSubqueryExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SubqueryAdaptiveBroadcastExec;
import org.apache.spark.sql.execution.SubqueryBroadcastExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.spillway.SpillwayBroadcastExchangeExec;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.runtime.AbstractPartialFunction;

/**
 * Filters that prune the partitions of a join's probe side by the keys of its broadcast side. Spark
 * plans them for its own join and its own broadcast; beside a native one they are made to read the
 * native broadcast, so that the build side is computed once. Used by one thread.
 */
final class DynamicPruning extends AbstractPartialFunction<Expression, Expression> {
  private final SpillwayBroadcastExchangeExec broadcast;
  private final List<Expression> buildKeys;

  private DynamicPruning(SpillwayBroadcastExchangeExec broadcast, List<Expression> buildKeys) {
    this.broadcast = broadcast;
    this.buildKeys = buildKeys;
  }

  /**
   * Whether a probe side is pruned by something of the build side that is not the join's keys, so
   * that the filters cannot be made to read the join's broadcast.
   */
  static boolean isByOtherKeys(SparkPlan probe, SparkPlan build, List<Expression> buildKeys) {
    for (BaseSubqueryExec filter : filters(probe)) {
      List<Expression> keys = keys(filter);
      boolean ofThisJoin =
          keys.stream().anyMatch(key -> key.references().subsetOf(build.outputSet()));
      if (ofThisJoin && !sameKeys(keys, buildKeys)) {
        return true;
      }
    }
    return false;
  }

  /** The probe side with its filters reading a join's broadcast, if exchanges may be reused. */
  static SparkPlan reading(
      SpillwayBroadcastExchangeExec broadcast, List<Expression> buildKeys, SparkPlan probe) {
    return SQLConf.get().exchangeReuseEnabled()
        ? probe.transformAllExpressions(new DynamicPruning(broadcast, buildKeys))
        : probe;
  }

  @Override
  public boolean isDefinedAt(Expression expression) {
    BaseSubqueryExec filter = filter(expression);
    return filter != null
        && sameKeys(keys(filter), buildKeys)
        && (adaptive(filter) != null || planned(filter) != null);
  }

  @Override
  public Expression apply(Expression expression) {
    InSubqueryExec in = (InSubqueryExec) ((DynamicPruningExpression) expression).child();
    return new DynamicPruningExpression(in.withNewPlan(reading(in.plan())));
  }

  /** The filter's values out of the join's broadcast. */
  private SubqueryBroadcastExec reading(BaseSubqueryExec filter) {
    AdaptiveSparkPlanExec adaptive = adaptive(filter);
    if (adaptive != null) {
      SubqueryAdaptiveBroadcastExec old = (SubqueryAdaptiveBroadcastExec) filter;
      // A plan of its own, which finds the join's stage among the query's.
      SparkPlan same =
          new SpillwayBroadcastExchangeExec(
              broadcast.mode(), broadcast.child(), broadcast.collector());
      same.setLogicalLink(adaptive.executedPlan().logicalLink().get());
      return new SubqueryBroadcastExec(
          old.name(),
          old.index(),
          old.buildKeys(),
          new AdaptiveSparkPlanExec(
              same, adaptive.context(), adaptive.preprocessingRules(), true, false));
    }
    SubqueryBroadcastExec old = (SubqueryBroadcastExec) filter;
    // Ready to run; once the join's is, Spark finds that both are the same.
    SparkPlan same =
        new SpillwayBroadcastExchangeExec(
            ((BroadcastExchangeExec) old.child()).mode(),
            planned(filter).child(),
            broadcast.collector());
    return new SubqueryBroadcastExec(old.name(), old.index(), old.buildKeys(), same);
  }

  /** The build side's plan in a filter that adaptive execution has still to plan; else null. */
  private static AdaptiveSparkPlanExec adaptive(BaseSubqueryExec filter) {
    return filter instanceof SubqueryAdaptiveBroadcastExec its
            && its.child() instanceof AdaptiveSparkPlanExec plan
        ? plan
        : null;
  }

  /** The last transition of a build side that is planned already, and native; else null. */
  private static NativeColumnarToRowExec planned(BaseSubqueryExec filter) {
    return filter instanceof SubqueryBroadcastExec its
            && its.child() instanceof BroadcastExchangeExec exchange
            && exchange.child() instanceof NativeColumnarToRowExec rows
        ? rows
        : null;
  }

  private static List<BaseSubqueryExec> filters(SparkPlan plan) {
    List<BaseSubqueryExec> filters = new ArrayList<>();
    for (Expression expression : list(plan.expressions())) {
      collect(expression, filters);
    }
    for (SparkPlan child : list(plan.children())) {
      filters.addAll(filters(child));
    }
    return filters;
  }

  private static void collect(Expression expression, List<BaseSubqueryExec> filters) {
    BaseSubqueryExec filter = filter(expression);
    if (filter != null) {
      filters.add(filter);
    }
    for (Expression child : list(expression.children())) {
      collect(child, filters);
    }
  }

  private static BaseSubqueryExec filter(Expression expression) {
    return expression instanceof DynamicPruningExpression pruning
            && pruning.child() instanceof InSubqueryExec in
        ? in.plan()
        : null;
  }

  /** What of the build side a filter is made of; nothing if it has a query of its own. */
  private static List<Expression> keys(BaseSubqueryExec filter) {
    if (filter instanceof SubqueryAdaptiveBroadcastExec adaptive) {
      return list(adaptive.buildKeys());
    }
    return filter instanceof SubqueryBroadcastExec planned ? list(planned.buildKeys()) : List.of();
  }

  private static boolean sameKeys(List<Expression> left, List<Expression> right) {
    boolean same = !left.isEmpty() && left.size() == right.size();
    for (int i = 0; same && i < left.size(); i++) {
      same = left.get(i).semanticEquals(right.get(i));
    }
    return same;
  }

  private static <T> List<T> list(Seq<T> values) {
    return JavaConverters.seqAsJavaList(values);
  }
}
