package io.spillway.operator;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.collection.immutable.Map;

/** The SQL metrics that every native operator has; shown in the UI's plan. */
final class OperatorMetrics implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String OUTPUT_ROWS = "numOutputRows";
  private static final String OUTPUT_BATCHES = "numOutputBatches";

  private final SQLMetric outputRows;
  private final SQLMetric outputBatches;
  private final SQLMetric spillBytes;
  private final SQLMetric peakNativeBytes;

  OperatorMetrics(SparkContext context) {
    this(
        SQLMetrics.createMetric(context, "number of output rows"),
        SQLMetrics.createMetric(context, "number of output batches"),
        SQLMetrics.createSizeMetric(context, "spill size", -1L),
        SQLMetrics.createSizeMetric(context, "peak native memory", -1L));
  }

  private OperatorMetrics(
      SQLMetric outputRows,
      SQLMetric outputBatches,
      SQLMetric spillBytes,
      SQLMetric peakNativeBytes) {
    this.outputRows = outputRows;
    this.outputBatches = outputBatches;
    this.spillBytes = spillBytes;
    this.peakNativeBytes = peakNativeBytes;
  }

  /** Those among a plan node's metrics that {@link #asScala} once gave it. */
  static OperatorMetrics of(Map<String, SQLMetric> metrics) {
    return new OperatorMetrics(
        metrics.apply(OUTPUT_ROWS),
        metrics.apply(OUTPUT_BATCHES),
        metrics.apply(NativeOperator.SPILL_BYTES),
        metrics.apply(NativeOperator.PEAK_NATIVE_BYTES));
  }

  Map<String, SQLMetric> asScala() {
    return ScalaCollections.map(
        java.util.Map.of(
            OUTPUT_ROWS,
            outputRows,
            OUTPUT_BATCHES,
            outputBatches,
            NativeOperator.SPILL_BYTES,
            spillBytes,
            NativeOperator.PEAK_NATIVE_BYTES,
            peakNativeBytes));
  }

  void batch(int rows) {
    outputRows.add(rows);
    outputBatches.add(1);
  }

  void memory(long spilledBytes, long peakBytes) {
    spillBytes.add(spilledBytes);
    peakNativeBytes.add(peakBytes);
  }
}
