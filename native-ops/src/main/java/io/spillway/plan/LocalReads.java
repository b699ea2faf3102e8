package io.spillway.plan;

import io.spillway.operator.NativeBroadcastHashJoinExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadRule;
import org.apache.spark.sql.execution.adaptive.OptimizeShuffleWithLocalRead;
import org.apache.spark.sql.execution.exchange.ShuffleOrigin;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Lets a native broadcast join read a shuffled probe side where it was written. Spark's rule does
 * that for Spark's own broadcast joins and knows no others; how the shuffle is read is left to it,
 * as is the check that nothing above relies on the shuffle's partitions. Stateless.
 */
public final class LocalReads extends Rule<SparkPlan> implements AQEShuffleReadRule {
  @Override
  public Seq<ShuffleOrigin> supportedShuffleOrigins() {
    return OptimizeShuffleWithLocalRead.supportedShuffleOrigins();
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    List<SparkPlan> children = new ArrayList<>();
    boolean changed = false;
    for (SparkPlan child : JavaConverters.seqAsJavaList(plan.children())) {
      SparkPlan made = apply(child);
      if (isProbeSide(plan, children.size())
          && OptimizeShuffleWithLocalRead.canUseLocalShuffleRead(made)) {
        made = OptimizeShuffleWithLocalRead.apply(made);
      }
      changed |= made != child;
      children.add(made);
    }
    return changed ? plan.withNewChildren(JavaConverters.asScalaBuffer(children).toList()) : plan;
  }

  private static boolean isProbeSide(SparkPlan plan, int child) {
    return plan instanceof NativeBroadcastHashJoinExec join
        && child == (join.spec().buildLeft() ? 1 : 0);
  }
}
