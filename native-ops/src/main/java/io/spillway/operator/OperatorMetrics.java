package io.spillway.operator;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.collection.immutable.Map;

/** The SQL metrics that every native operator has; shown in the UI's plan. */
final class OperatorMetrics implements Serializable {
  private static final long serialVersionUID = 1L;

  private final SQLMetric outputRows;
  private final SQLMetric outputBatches;
  private final SQLMetric spillBytes;
  private final SQLMetric peakNativeBytes;

  OperatorMetrics(SparkContext context) {
    outputRows = SQLMetrics.createMetric(context, "number of output rows");
    outputBatches = SQLMetrics.createMetric(context, "number of output batches");
    spillBytes = SQLMetrics.createSizeMetric(context, "spill size", -1L);
    peakNativeBytes = SQLMetrics.createSizeMetric(context, "peak native memory", -1L);
  }

  Map<String, SQLMetric> asScala() {
    return ScalaCollections.map(
        java.util.Map.of(
            "numOutputRows",
            outputRows,
            "numOutputBatches",
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
