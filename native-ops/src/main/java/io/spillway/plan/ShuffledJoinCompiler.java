package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.JoinSpec;
import io.spillway.operator.NativeShuffledHashJoinExec;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledJoin;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import scala.Option;
import scala.collection.JavaConverters;

/**
 * Joins of two shuffled sides, by hash or by sort and merge. The sorts that only the merge needed
 * go away with it.
 */
final class ShuffledJoinCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof ShuffledHashJoinExec || node instanceof SortMergeJoinExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.SHUFFLED_HASH_JOIN;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    ShuffledJoin join = (ShuffledJoin) node;
    if (planning.orderingNeeded() && !node.outputOrdering().isEmpty()) {
      throw new UnsupportedException("the order of a join's output is relied on above it");
    }
    Option<Expression> condition =
        node instanceof SortMergeJoinExec merge
            ? merge.condition()
            : ((ShuffledHashJoinExec) node).condition();
    boolean buildLeft =
        node instanceof ShuffledHashJoinExec hash
            ? hash.buildSide() == BuildLeft$.MODULE$
            : buildsLeft(node, join.joinType());
    JoinSpec spec =
        JoinCompiler.compile(
            join.joinType(),
            buildLeft,
            JavaConverters.seqAsJavaList(join.leftKeys()),
            JavaConverters.seqAsJavaList(join.rightKeys()),
            condition.isDefined() ? condition.get() : null,
            Replacement.output(join.left()),
            Replacement.output(join.right()),
            planning.ansi());
    boolean sorted = node instanceof SortMergeJoinExec;
    return new Replacement(
        true,
        Replacement.Ordering.IGNORED,
        List.of(
            sorted ? beneathSort(join.left()) : join.left(),
            sorted ? beneathSort(join.right()) : join.right()),
        inputs ->
            new NativeShuffledHashJoinExec(
                join.leftKeys(),
                join.rightKeys(),
                join.joinType(),
                condition,
                join.isSkewJoin(),
                spec,
                inputs.get(0),
                inputs.get(1)));
  }

  private static SparkPlan beneathSort(SparkPlan child) {
    return child instanceof SortExec sort && !sort.global() ? sort.child() : child;
  }

  /**
   * Which side of a merge join is built: the one whose rows need not come out by themselves; for an
   * inner join the smaller one, as far as Spark knows.
   */
  private static boolean buildsLeft(SparkPlan node, JoinType joinType) {
    if (!(joinType instanceof InnerLike)) {
      return joinType == RightOuter$.MODULE$;
    }
    Option<LogicalPlan> logical = node.logicalLink();
    return logical.isDefined()
        && logical.get() instanceof Join join
        && join.left().stats().sizeInBytes().compare(join.right().stats().sizeInBytes()) < 0;
  }
}
