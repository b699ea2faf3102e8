package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.RowsAbi;
import io.spillway.operator.MovingSpec;
import io.spillway.operator.NativeProjectExec;
import io.spillway.operator.NativeWindowExec;
import io.spillway.operator.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.WindowExec;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Windows: a native one that computes columns, and a projection that makes values of them. */
final class WindowCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof WindowExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.WINDOW;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    WindowExec window = (WindowExec) node;
    WindowFunctions functions = new WindowFunctions();
    List<NamedExpression> results = new ArrayList<>(Replacement.output(window.child()));
    for (NamedExpression each : JavaConverters.seqAsJavaList(window.windowExpression())) {
      results.add((NamedExpression) functions.over((Expression) each));
    }
    WindowSpec spec =
        spec(window.partitionSpec(), window.orderSpec(), functions, window.child(), planning);
    List<Attribute> columns = new ArrayList<>(functions.columns());
    columns.addAll(functions.moving().columns());
    Seq<NamedExpression> list = JavaConverters.asScalaBuffer(results).toList();
    List<Attribute> input = new ArrayList<>(Replacement.output(window.child()));
    input.addAll(columns);
    // Known here, so that a result that kernels cannot compute leaves the whole window alone.
    planning.compile(list, input);
    return Replacement.keepingOrder(
        window.child(),
        child ->
            project(
                node,
                list,
                planning,
                new NativeWindowExec(
                    window.partitionSpec(), window.orderSpec(), columns, true, spec, child)));
  }

  /** A projection that stands for the node, over what computes its columns. */
  static SparkPlan project(
      SparkPlan node, Seq<NamedExpression> list, Planning planning, SparkPlan child) {
    // Adaptive execution looks for the topmost node of the logical plan's.
    child.copyTagsFrom(node);
    try {
      planning.requireEnabled(OperatorSwitch.PROJECT);
      return new NativeProjectExec(list, planning.compile(list, Replacement.output(child)), child);
    } catch (UnsupportedException e) {
      ProjectExec project = new ProjectExec(list, child);
      project.copyTagsFrom(node);
      FallbackReasons.set(project, e.reason());
      return project;
    }
  }

  /**
   * @throws UnsupportedException if a column, key or input has to stay on the JVM
   */
  static WindowSpec spec(
      Seq<Expression> partition,
      Seq<SortOrder> order,
      WindowFunctions functions,
      SparkPlan child,
      Planning planning)
      throws UnsupportedException {
    Replacement.requireNativeForms(child);
    List<Attribute> output = Replacement.output(child);
    List<Expression> expressions = new ArrayList<>(output);
    expressions.addAll(JavaConverters.seqAsJavaList(partition));
    for (SortOrder key : JavaConverters.seqAsJavaList(order)) {
      expressions.add(key.child());
    }
    expressions.addAll(functions.inputs());
    MovingSpec moving = functions.moving().spec();
    int columns =
        expressions.size() + functions.functions().size() + functions.moving().columns().size();
    if (columns > RowsAbi.MAX_COLUMNS) {
      throw new UnsupportedException(
          columns + " columns with a window's keys and values; rows take " + RowsAbi.MAX_COLUMNS);
    }
    return new WindowSpec(
        ExpressionCompiler.compile(expressions, output, planning.ansi()),
        output.size(),
        partition.size(),
        order.size(),
        functions.functions(),
        moving);
  }
}
