package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.expression.SubqueryValues;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/** Native counterpart of Spark's {@link FilterExec}: the same rows in the same order. */
public final class NativeFilterExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final Expression condition;
  private final Program program;

  /**
   * @param program the condition, compiled over the child's output: one boolean output
   */
  public NativeFilterExec(Expression condition, Program program, SparkPlan child) {
    super(child);
    this.condition = condition;
    this.program = program;
  }

  @Override
  List<Object> arguments() {
    return List.of(condition, program);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(List.<Object>of(condition, child())).iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeFilterExec(condition, program, newChild);
  }

  /** Spark's own operator says what its output is (which columns are no longer nullable). */
  private FilterExec twin() {
    return new FilterExec(condition, child());
  }

  @Override
  public Seq<Attribute> output() {
    return twin().output();
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
  PartitionOperator partitionOperator() {
    Program compiled = SubqueryValues.fill(program, List.of(condition));
    List<DataType> types = types(child().output());
    OperatorMetrics metrics = operatorMetrics();
    return batches -> new FilterIterator(batches, compiled, types, metrics);
  }
}
