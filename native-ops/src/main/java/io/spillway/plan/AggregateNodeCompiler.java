package io.spillway.plan;

import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.AggregateSpec;
import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.operator.NativeKeylessAggregateExec;
import io.spillway.operator.NativeOperator;
import io.spillway.operator.NativeProjectExec;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Aggregates: hashing ones, and sorting ones over a sort of their own. */
final class AggregateNodeCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof BaseAggregateExec && !(node instanceof NativeOperator);
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.HASH_AGGREGATE;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    BaseAggregateExec exec = (BaseAggregateExec) node;
    if (exec instanceof ObjectHashAggregateExec) {
      throw new UnsupportedException("aggregate functions that keep objects");
    }
    boolean sorted = exec instanceof SortAggregateExec;
    boolean overSort = exec.child() instanceof SortExec sort && !sort.global();
    // One row has no order.
    boolean keyless = exec.groupingExpressions().isEmpty();
    if (sorted && planning.orderingNeeded() && !keyless) {
      throw new UnsupportedException("the order of a sort aggregate is relied on above it");
    }
    // Without an exchange between them the final one takes the partial one's order; both go
    // together.
    boolean overPartial = exec.child() instanceof SortAggregateExec;
    if (sorted && !overSort && !overPartial && !keyless) {
      throw new UnsupportedException("a sort aggregate whose input comes sorted already");
    }
    if (!sorted && !(exec instanceof HashAggregateExec)) {
      throw new UnsupportedException("operator " + node.nodeName());
    }
    AggregateSpec spec = AggregateCompiler.compile(exec, planning.ansi());
    SparkPlan input = sorted && overSort ? ((SortExec) exec.child()).child() : exec.child();
    return new Replacement(
        true,
        Replacement.Ordering.IGNORED,
        List.of(input),
        inputs -> build(node, exec, spec, planning, inputs.get(0)));
  }

  /** The native aggregate, and a projection for the result expressions where they do more. */
  private static SparkPlan build(
      SparkPlan node,
      BaseAggregateExec exec,
      AggregateSpec spec,
      Planning planning,
      SparkPlan child) {
    // One without keys puts out a row for no rows, and adaptive execution must know.
    SparkPlan aggregate =
        spec.hasKeys() || !spec.finalResult()
            ? new NativeHashAggregateExec(spec, child)
            : new NativeKeylessAggregateExec(spec, child);
    if (sameColumns(exec.resultExpressions(), spec.output())) {
      return aggregate;
    }
    // The projection stands for the same logical node: adaptive execution looks for the topmost
    // one when it puts a finished stage into the logical plan.
    aggregate.copyTagsFrom(node);
    try {
      planning.requireEnabled(OperatorSwitch.PROJECT);
      Program program =
          planning.compile(exec.resultExpressions(), JavaConverters.seqAsJavaList(spec.output()));
      return new NativeProjectExec(exec.resultExpressions(), program, aggregate);
    } catch (UnsupportedException e) {
      ProjectExec project = new ProjectExec(exec.resultExpressions(), aggregate);
      project.copyTagsFrom(node);
      FallbackReasons.set(project, e.reason());
      return project;
    }
  }

  private static boolean sameColumns(Seq<NamedExpression> results, Seq<Attribute> output) {
    List<NamedExpression> left = JavaConverters.seqAsJavaList(results);
    List<Attribute> right = JavaConverters.seqAsJavaList(output);
    boolean same = left.size() == right.size();
    for (int i = 0; same && i < left.size(); i++) {
      same = left.get(i) instanceof Attribute && left.get(i).exprId().equals(right.get(i).exprId());
    }
    return same;
  }
}
