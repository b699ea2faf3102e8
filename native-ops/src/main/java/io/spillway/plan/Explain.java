package io.spillway.plan;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.execution.LeafExecNode;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/** Says in text what of a plan is native, what stays on the JVM, and why. Stateless. */
public final class Explain {
  private static final int MAX_FIELDS = 12;

  private Explain() {}

  /** Explains a frame's plan; plans it if that has not been done, and runs nothing. */
  public static String of(Dataset<?> frame) {
    return of(frame.queryExecution().executedPlan());
  }

  /**
   * Explains a plan: a line with the totals, then a line an operator, children indented below it.
   * Under adaptive execution the plan as it stands now.
   */
  public static String of(SparkPlan plan) {
    StringBuilder text = new StringBuilder(totals(plan));
    PlanWalk.of(
        plan,
        (node, kind, depth) -> {
          text.append('\n').append("  ".repeat(depth + 1));
          switch (kind) {
            case NATIVE -> text.append("native      ").append(describe(node));
            case TRANSITION -> text.append("transition  ").append(node.nodeName());
            case JVM -> text.append("JVM         ").append(node.nodeName()).append(because(node));
          }
        });
    return text.toString();
  }

  /** Only the operators that stay on the JVM for a reason, one a line; empty if none do. */
  private static String fallbacks(SparkPlan plan) {
    StringBuilder text = new StringBuilder();
    PlanWalk.of(
        plan,
        (node, kind, depth) -> {
          String reason = kind == PlanWalk.Kind.JVM ? reason(node) : "";
          if (!reason.isEmpty()) {
            text.append(text.isEmpty() ? "" : "\n")
                .append(node.nodeName())
                .append(": ")
                .append(reason);
          }
        });
    return text.toString();
  }

  /** What is to be logged of a plan; empty if nothing is. */
  public static String forLog(SparkPlan plan, PlanSettings.ExplainLog wanted) {
    return switch (wanted) {
      case OFF -> "";
      case FALLBACKS -> fallbacks(plan);
      case ALL -> of(plan);
    };
  }

  private static String totals(SparkPlan plan) {
    PlanFigures figures = PlanFigures.of(plan);
    return "Spillway: "
        + figures.nativeOperators()
        + " native operators, "
        + figures.jvmOperators()
        + " on the JVM, "
        + figures.transitions()
        + " transitions";
  }

  private static String describe(SparkPlan node) {
    return ((QueryPlan<?>) node).simpleString(MAX_FIELDS);
  }

  private static String because(SparkPlan node) {
    String reason = reason(node);
    return reason.isEmpty() ? "" : " (" + reason + ")";
  }

  private static String reason(SparkPlan node) {
    return FallbackReasons.of(node).orElseGet(() -> generalReason(node));
  }

  private static String generalReason(SparkPlan node) {
    if (node instanceof InMemoryTableScanExec scan) {
      return CachedScans.reason(scan).orElse("");
    }
    if (node instanceof LeafExecNode) {
      return "";
    }
    return node instanceof Exchange
        ? "this exchange is Spark's"
        : "no native operator of this kind";
  }
}
