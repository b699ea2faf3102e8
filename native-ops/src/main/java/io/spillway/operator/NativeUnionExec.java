package io.spillway.operator;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Seq;

/** Native counterpart of Spark's {@link UnionExec}: the partitions of all children. */
public final class NativeUnionExec extends NativeExec {
  private static final long serialVersionUID = 1L;

  public NativeUnionExec(List<SparkPlan> children) {
    super(children.toArray(new SparkPlan[0]));
  }

  @Override
  List<Object> arguments() {
    return List.of();
  }

  @Override
  SparkPlan withChildren(List<SparkPlan> newChildren) {
    return new NativeUnionExec(newChildren);
  }

  /** Spark's own operator says which columns can be null, and keeps the first child's names. */
  @Override
  public Seq<Attribute> output() {
    return new UnionExec(children()).output();
  }

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    List<RDD<ColumnarBatch>> inputs =
        ScalaCollections.list(children()).stream().map(SparkPlan::executeColumnar).toList();
    return sparkContext()
        .union(
            ScalaCollections.seq(inputs),
            scala.reflect.ClassTag$.MODULE$.apply(ColumnarBatch.class));
  }
}
