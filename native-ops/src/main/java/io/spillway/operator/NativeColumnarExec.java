package io.spillway.operator;

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
  interface PartitionOperator extends FlatMapFunction<Iterator<ColumnarBatch>, ColumnarBatch> {}

  /** What runs on each partition. */
  abstract PartitionOperator partitionOperator();

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    JavaRDD<ColumnarBatch> input = child().executeColumnar().toJavaRDD();
    return input.mapPartitions(partitionOperator()).rdd();
  }
}
