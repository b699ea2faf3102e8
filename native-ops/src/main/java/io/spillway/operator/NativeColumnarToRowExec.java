package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Seq;

/** Native batches as rows of Spark: the place of Spark's {@code ColumnarToRowExec}. */
public final class NativeColumnarToRowExec extends NativeUnaryExec {
  private static final long serialVersionUID = 1L;

  public NativeColumnarToRowExec(SparkPlan child) {
    super(child);
  }

  @Override
  public boolean isTransition() {
    return true;
  }

  @Override
  List<Object> arguments() {
    return List.of();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeColumnarToRowExec(newChild);
  }

  @Override
  public Seq<Attribute> output() {
    return child().output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return child().outputOrdering();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    List<DataType> types = types(child().output());
    OperatorMetrics metrics = operatorMetrics();
    FlatMapFunction<Iterator<ColumnarBatch>, InternalRow> convert =
        batches -> new ColumnarToRowIterator(batches, types, metrics);
    return child().executeColumnar().toJavaRDD().mapPartitions(convert).rdd();
  }
}
