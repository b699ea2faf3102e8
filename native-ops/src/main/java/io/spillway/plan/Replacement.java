package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.NativeTypes;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.AggregateSpec;
import io.spillway.operator.NativeFilterExec;
import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.operator.NativeProjectExec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * The native counterpart of one node: already compiled, not yet built.
 *
 * @param aggregate whether it is an aggregate, which alone makes a native island worth its
 *     transitions
 * @param dropsSort whether the sort beneath the node goes away with it
 * @param builder makes the native nodes over a child
 */
record Replacement(boolean aggregate, boolean dropsSort, UnaryOperator<SparkPlan> builder) {

  /** Whether this kind of node has a native counterpart at all. */
  static boolean isCandidate(SparkPlan node) {
    return node instanceof FilterExec
        || node instanceof ProjectExec
        || node instanceof BaseAggregateExec;
  }

  /**
   * Compiles a node.
   *
   * @param orderingNeeded whether something above relies on the order of the node's output
   * @throws UnsupportedException with the reason if the node has to stay on the JVM
   */
  static Replacement of(SparkPlan node, PlanSettings settings, boolean ansi, boolean orderingNeeded)
      throws UnsupportedException {
    if (node instanceof FilterExec filter) {
      requireEnabled(settings.filter(), PlanSettings.FILTER);
      // A filter copies every column of the rows that it keeps.
      Optional<Attribute> foreign = withoutNativeForm(filter.child());
      if (foreign.isPresent()) {
        throw new UnsupportedException(describe(foreign.get()));
      }
      Program program =
          ExpressionCompiler.compile(List.of(filter.condition()), output(filter.child()), ansi);
      return new Replacement(
          false, false, child -> new NativeFilterExec(filter.condition(), program, child));
    }
    if (node instanceof ProjectExec project) {
      requireEnabled(settings.project(), PlanSettings.PROJECT);
      Program program = compile(project.projectList(), output(project.child()), ansi);
      return new Replacement(
          false, false, child -> new NativeProjectExec(project.projectList(), program, child));
    }
    requireEnabled(settings.hashAggregate(), PlanSettings.HASH_AGGREGATE);
    return aggregate(node, (BaseAggregateExec) node, settings, ansi, orderingNeeded);
  }

  private static Replacement aggregate(
      SparkPlan node,
      BaseAggregateExec exec,
      PlanSettings settings,
      boolean ansi,
      boolean orderingNeeded)
      throws UnsupportedException {
    if (exec instanceof ObjectHashAggregateExec) {
      throw new UnsupportedException("aggregate functions that keep objects");
    }
    boolean sorted = exec instanceof SortAggregateExec;
    boolean overSort = exec.child() instanceof SortExec sort && !sort.global();
    if (sorted && orderingNeeded) {
      throw new UnsupportedException("the order of a sort aggregate is relied on above it");
    }
    // Without an exchange between them the final one takes the partial one's order; both go
    // together.
    boolean overPartial = exec.child() instanceof SortAggregateExec;
    if (sorted && !overSort && !overPartial && !exec.groupingExpressions().isEmpty()) {
      throw new UnsupportedException("a sort aggregate whose input comes sorted already");
    }
    if (!sorted && !(exec instanceof HashAggregateExec)) {
      throw new UnsupportedException("operator " + node.nodeName());
    }
    AggregateSpec spec = AggregateCompiler.compile(exec, ansi);
    return new Replacement(
        true, sorted && overSort, child -> build(node, exec, spec, settings, ansi, child));
  }

  /** The native aggregate, and a projection for the result expressions where they do more. */
  private static SparkPlan build(
      SparkPlan node,
      BaseAggregateExec exec,
      AggregateSpec spec,
      PlanSettings settings,
      boolean ansi,
      SparkPlan child) {
    SparkPlan aggregate = new NativeHashAggregateExec(spec, child);
    if (sameColumns(exec.resultExpressions(), spec.output())) {
      return aggregate;
    }
    // The projection stands for the same logical node: adaptive execution looks for the topmost
    // one when it puts a finished stage into the logical plan.
    aggregate.copyTagsFrom(node);
    try {
      requireEnabled(settings.project(), PlanSettings.PROJECT);
      Program program =
          compile(exec.resultExpressions(), JavaConverters.seqAsJavaList(spec.output()), ansi);
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

  private static Program compile(
      Seq<NamedExpression> expressions, List<Attribute> input, boolean ansi)
      throws UnsupportedException {
    List<Expression> list = new ArrayList<>();
    for (NamedExpression expression : JavaConverters.seqAsJavaList(expressions)) {
      list.add((Expression) expression);
    }
    return ExpressionCompiler.compile(list, input, ansi);
  }

  private static List<Attribute> output(SparkPlan plan) {
    return JavaConverters.seqAsJavaList(plan.output());
  }

  /** The first column that kernels have no type for. */
  static Optional<Attribute> withoutNativeForm(SparkPlan plan) {
    return output(plan).stream()
        .filter(column -> NativeTypes.of(column.dataType()).isEmpty())
        .findFirst();
  }

  static String describe(Attribute column) {
    return "column " + column.name() + " has type " + column.dataType().simpleString();
  }

  private static void requireEnabled(boolean enabled, String key) throws UnsupportedException {
    if (!enabled) {
      throw new UnsupportedException(key + " is false");
    }
  }
}
