package io.spillway.operator;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A native operator from batches to batches. */
abstract class NativeColumnarExec extends NativeUnaryExec {
  private static final long serialVersionUID = 1L;

  NativeColumnarExec(SparkPlan child) {
    super(child);
  }

  /** Makes an operator's iterator on one partition; serialised to executors. */
  interface PartitionOperator extends Serializable {
    /** Opens the operator; its output is computed as it is asked for. */
    Iterator<ColumnarBatch> open(Iterator<ColumnarBatch> input);
  }

  /** What runs on each partition. */
  abstract PartitionOperator partitionOperator();

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    JavaRDD<ColumnarBatch> input = child().executeColumnar().toJavaRDD();
    PartitionOperator operator = partitionOperator();
    String name = nodeName();
    FlatMapFunction<Iterator<ColumnarBatch>, ColumnarBatch> compute =
        batches -> OperatorContext.iterator(name, () -> operator.open(batches));
    return input.mapPartitions(compute).rdd();
  }
}
