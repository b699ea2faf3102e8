package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

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

  /** Spark puts a transition between a broadcast and its reader too; it means nothing there. */
  @Override
  public <T> Broadcast<T> doExecuteBroadcast() {
    return child().executeBroadcast();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    List<DataType> types = types(child().output());
    OperatorMetrics metrics = operatorMetrics();
    FlatMapFunction<Iterator<ColumnarBatch>, InternalRow> convert =
        batches ->
            OperatorContext.iterator(
                "ColumnarToRow", () -> new ColumnarToRowIterator(batches, types, metrics));
    return child().executeColumnar().toJavaRDD().mapPartitions(convert).rdd();
  }
}
