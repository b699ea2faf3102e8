package io.spillway.operator;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Seq;

/** Native counterpart of Spark's {@link CoalesceExec}: fewer partitions, without a shuffle. */
public final class NativeCoalesceExec extends NativeUnaryExec {
  private static final long serialVersionUID = 1L;

  private final int numPartitions;

  /**
   * @param numPartitions how many there are at the most
   */
  public NativeCoalesceExec(int numPartitions, SparkPlan child) {
    super(child);
    this.numPartitions = numPartitions;
  }

  @Override
  List<Object> arguments() {
    return List.of(numPartitions);
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeCoalesceExec(numPartitions, newChild);
  }

  @Override
  public Seq<Attribute> output() {
    return child().output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return new CoalesceExec(numPartitions, child()).outputPartitioning();
  }

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    RDD<ColumnarBatch> input = child().executeColumnar();
    // Spark's own operator makes one empty partition of none, for those that want exactly one.
    if (numPartitions == 1 && input.getNumPartitions() < 1) {
      return sparkContext()
          .parallelize(
              ScalaCollections.seq(List.<ColumnarBatch>of()),
              1,
              scala.reflect.ClassTag$.MODULE$.apply(ColumnarBatch.class));
    }
    return input.toJavaRDD().coalesce(numPartitions).rdd();
  }
}
