package io.spillway.plan;

import java.util.Optional;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;

/** Why a node of a plan stays on the JVM, kept on the node itself. Stateless. */
public final class FallbackReasons {
  private static final TreeNodeTag<String> TAG = new TreeNodeTag<>("spillway.fallback.reason");

  private FallbackReasons() {}

  /** Notes the reason on a node; a later one replaces it. */
  static void set(SparkPlan node, String reason) {
    node.setTagValue(TAG, reason);
  }

  static void clear(SparkPlan node) {
    node.unsetTagValue(TAG);
  }

  /** The reason noted on a node by the rules, if there is one. */
  public static Optional<String> of(SparkPlan node) {
    scala.Option<String> reason = node.getTagValue(TAG);
    return reason.isDefined() ? Optional.of(reason.get()) : Optional.empty();
  }
}
