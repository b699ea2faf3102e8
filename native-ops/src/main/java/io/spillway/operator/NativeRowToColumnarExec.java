package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Rows of Spark as native batches: the place of Spark's {@code RowToColumnarExec}. */
public final class NativeRowToColumnarExec extends NativeTransitionExec {
  private static final long serialVersionUID = 1L;

  public NativeRowToColumnarExec(SparkPlan child) {
    super(child);
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeRowToColumnarExec(newChild);
  }

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    List<DataType> types = types(child().output());
    OperatorMetrics metrics = operatorMetrics();
    FlatMapFunction<Iterator<InternalRow>, ColumnarBatch> convert =
        rows ->
            OperatorContext.iterator(
                "RowToColumnar", () -> new RowToColumnarIterator(rows, types, metrics));
    return child().execute().toJavaRDD().mapPartitions(convert).rdd();
  }
}
