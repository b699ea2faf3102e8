package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.expression.SubqueryValues;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/** Native counterpart of Spark's {@link ProjectExec}. */
public final class NativeProjectExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> projectList;
  private final Program program;

  /**
   * @param program the project list, compiled over the child's output: one output an expression
   */
  public NativeProjectExec(Seq<NamedExpression> projectList, Program program, SparkPlan child) {
    super(child);
    this.projectList = projectList;
    this.program = program;
  }

  @Override
  List<Object> arguments() {
    return List.of(projectList, program);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(List.<Object>of(projectList, child())).iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeProjectExec(projectList, program, newChild);
  }

  private static List<Expression> expressions(Seq<NamedExpression> list) {
    return ScalaCollections.list(list).stream().map(Expression.class::cast).toList();
  }

  /** Spark's own operator says how aliases carry partitioning and ordering over. */
  private ProjectExec twin() {
    return new ProjectExec(projectList, child());
  }

  @Override
  public Seq<Attribute> output() {
    return twin().output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return twin().outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return twin().outputOrdering();
  }

  @Override
  PartitionOperator partitionOperator() {
    Program compiled = SubqueryValues.fill(program, expressions(projectList));
    List<DataType> inputTypes = types(child().output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    return batches -> new ProjectIterator(batches, compiled, inputTypes, outputTypes, metrics);
  }
}
