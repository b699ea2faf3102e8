package io.spillway.operator;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;

/** Native batches as rows of Spark: the place of Spark's {@code ColumnarToRowExec}. */
public final class NativeColumnarToRowExec extends NativeTransitionExec {
  private static final long serialVersionUID = 1L;

  public NativeColumnarToRowExec(SparkPlan child) {
    super(child);
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeColumnarToRowExec(newChild);
  }

  @Override
  public RDD<InternalRow> doExecute() {
    List<DataType> types = types(child().output());
    OperatorMetrics metrics = operatorMetrics();
    return new RowsOfBatches(child().executeColumnar(), types, metrics);
  }
}
