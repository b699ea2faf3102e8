package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.Seq;

/** Changes the form of the rows and nothing else: columns, partitions and order are the child's. */
abstract class NativeTransitionExec extends NativeUnaryExec {
  private static final long serialVersionUID = 1L;

  NativeTransitionExec(SparkPlan child) {
    super(child);
  }

  @Override
  public final boolean isTransition() {
    return true;
  }

  @Override
  final List<Object> arguments() {
    return List.of();
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
}
