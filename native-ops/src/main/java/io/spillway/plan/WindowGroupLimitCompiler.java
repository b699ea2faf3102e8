package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeFilterExec;
import io.spillway.operator.NativeWindowExec;
import io.spillway.operator.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.Final$;
import org.apache.spark.sql.execution.window.WindowGroupLimitExec;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Limits on a rank beneath a window: the rank as a column, a filter on it, and it goes again. */
final class WindowGroupLimitCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof WindowGroupLimitExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.WINDOW;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    WindowGroupLimitExec limit = (WindowGroupLimitExec) node;
    WindowFunctions functions = new WindowFunctions();
    Attribute rank = functions.rank(limit.rankLikeFunction());
    WindowSpec spec =
        WindowCompiler.spec(
            limit.partitionSpec(), limit.orderSpec(), functions, limit.child(), planning);
    List<Attribute> ranked = new ArrayList<>(Replacement.output(limit.child()));
    ranked.add(rank);
    Expression condition =
        new LessThanOrEqual(rank, new Literal(limit.limit(), DataTypes.IntegerType));
    Program program = ExpressionCompiler.compile(List.of(condition), ranked, planning.ansi());
    List<NamedExpression> output = new ArrayList<>(Replacement.output(limit.child()));
    Seq<NamedExpression> list = JavaConverters.asScalaBuffer(output).toList();
    boolean wholePartitions = limit.mode() == Final$.MODULE$;
    return Replacement.keepingOrder(
        limit.child(),
        child -> {
          SparkPlan window =
              new NativeWindowExec(
                  limit.partitionSpec(),
                  limit.orderSpec(),
                  List.of(rank),
                  wholePartitions,
                  spec,
                  child);
          window.copyTagsFrom(node);
          return WindowCompiler.project(
              node, list, planning, new NativeFilterExec(condition, program, window));
        });
  }
}
