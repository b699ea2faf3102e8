package io.spillway.plan;

import io.spillway.operator.NativeOperator;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.Option;

/**
 * What a plan is made of, and what its native operators needed so far. Before a query has run, and
 * under adaptive execution while it runs, the figures are those of the plan as it stands.
 *
 * @param nativeOperators operators that run in Spillway's kernels, transitions not counted
 * @param jvmOperators operators that run on the JVM, scans and Spark's exchanges included
 * @param transitions changes between rows and columns, Spark's own included
 * @param spilledBytes written to spill files by native operators
 * @param peakNativeBytes of the native operator that needed most: its tasks' peaks, summed, in
 *     bytes
 */
public record PlanFigures(
    int nativeOperators,
    int jvmOperators,
    int transitions,
    long spilledBytes,
    long peakNativeBytes) {

  /** The figures of an executed (or executable) plan; call it on the driver. */
  public static PlanFigures of(SparkPlan plan) {
    Count count = new Count();
    PlanWalk.of(plan, count);
    return new PlanFigures(
        count.nativeOperators, count.jvm, count.transitions, count.spilledBytes, count.peakBytes);
  }

  private static final class Count implements PlanWalk.Visitor {
    private int nativeOperators;
    private int jvm;
    private int transitions;
    private long spilledBytes;
    private long peakBytes;

    @Override
    public void visit(SparkPlan node, PlanWalk.Kind kind, int depth) {
      switch (kind) {
        case NATIVE -> nativeOperators++;
        case TRANSITION -> transitions++;
        case JVM -> jvm++;
      }
      if (node instanceof NativeOperator) {
        spilledBytes += metric(node, NativeOperator.SPILL_BYTES);
        peakBytes = Math.max(peakBytes, metric(node, NativeOperator.PEAK_NATIVE_BYTES));
      }
    }

    /** A size metric that no task has reported yet is negative. */
    private static long metric(SparkPlan node, String name) {
      Option<SQLMetric> metric = node.metrics().get(name);
      return metric.isEmpty() ? 0 : Math.max(0, metric.get().value());
    }
  }
}
