package io.spillway.plan;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.Option;
import scala.collection.Seq;
import scala.collection.immutable.Seq$;

/**
 * Marks what a query sorts. Where it comes in the right order by itself, out of a merge join for
 * example, Spark drops the sort from the physical plan, and nothing there would say any more that
 * the order is relied on.
 *
 * <p>A planner's strategy, because those are shown each logical node just before its physical one
 * is made, which refers to it from then on. Plans nothing itself; stateless.
 */
public final class SortMarks extends SparkStrategy {
  private static final long serialVersionUID = 1L;

  private static final TreeNodeTag<Boolean> SORTED = new TreeNodeTag<>("io.spillway.sorted");

  @Override
  @SuppressWarnings("unchecked")
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (plan instanceof Sort sort) {
      // A projection may turn out to be superfluous, and go before the sort does.
      LogicalPlan sorted = sort.child();
      sorted.setTagValue(SORTED, true);
      while (sorted instanceof Project project) {
        sorted = project.child();
        sorted.setTagValue(SORTED, true);
      }
    }
    return (Seq<SparkPlan>) Seq$.MODULE$.<SparkPlan>empty();
  }

  /** Whether a node stands for what the query sorts, whether or not the sort is still there. */
  static boolean isSorted(SparkPlan node) {
    Option<LogicalPlan> logical = node.logicalLink();
    return logical.isDefined() && logical.get().getTagValue(SORTED).isDefined();
  }
}
