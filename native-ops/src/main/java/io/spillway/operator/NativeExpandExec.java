package io.spillway.operator;

import io.spillway.expression.Program;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/** Native counterpart of Spark's {@link ExpandExec}: each row once for each projection. */
public final class NativeExpandExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final Seq<Seq<Expression>> projections;
  private final List<Attribute> columns;
  private final List<Program> programs;

  /**
   * @param columns what comes out
   * @param programs the projections, compiled over the child's output; at least one
   */
  public NativeExpandExec(
      Seq<Seq<Expression>> projections,
      List<Attribute> columns,
      List<Program> programs,
      SparkPlan child) {
    super(child);
    this.projections = projections;
    this.columns = List.copyOf(columns);
    this.programs = List.copyOf(programs);
  }

  @Override
  List<Object> arguments() {
    return List.of(projections, columns, programs);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(List.<Object>of(projections, output(), child())).iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeExpandExec(projections, columns, programs, newChild);
  }

  /** Spark's own operator says what is left of its child's partitioning. */
  private ExpandExec twin() {
    return new ExpandExec(projections, output(), child());
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaCollections.seq(columns);
  }

  @Override
  public Partitioning outputPartitioning() {
    return twin().outputPartitioning();
  }

  @Override
  PartitionOperator partitionOperator() {
    List<Program> compiled = programs;
    List<DataType> inputTypes = types(child().output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    return batches -> new ExpandIterator(batches, compiled, inputTypes, outputTypes, metrics);
  }
}
