package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeExpandExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** What grouping sets and several distinct aggregates do to rows: each comes out several times. */
final class ExpandCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof ExpandExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.EXPAND;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    ExpandExec expand = (ExpandExec) node;
    List<Program> programs = new ArrayList<>();
    for (Seq<Expression> projection : JavaConverters.seqAsJavaList(expand.projections())) {
      programs.add(
          ExpressionCompiler.compile(
              JavaConverters.seqAsJavaList(projection),
              Replacement.output(expand.child()),
              planning.ansi()));
    }
    if (programs.isEmpty()) {
      throw new UnsupportedException("an expansion into nothing");
    }
    Replacement.requireNativeForms(expand);
    return new Replacement(
        false,
        Replacement.Ordering.IGNORED,
        List.of(expand.child()),
        inputs ->
            new NativeExpandExec(
                expand.projections(),
                JavaConverters.seqAsJavaList(expand.output()),
                programs,
                inputs.get(0)));
  }
}
