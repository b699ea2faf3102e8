package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * What a node is compiled under. Immutable.
 *
 * @param settings of the session that plans
 * @param ansi whether the session computes in ANSI mode
 * @param orderingNeeded whether something above relies on the order of the node's output
 */
record Planning(PlanSettings settings, boolean ansi, boolean orderingNeeded) {

  /**
   * @throws UnsupportedException naming the setting if an operator is turned off
   */
  void requireEnabled(OperatorSwitch toggle) throws UnsupportedException {
    if (!settings.enabled(toggle)) {
      throw new UnsupportedException(toggle.key() + " is false");
    }
  }

  /**
   * Asked last, for what could run: a kind that is tried again is tried a few times only.
   *
   * @throws UnsupportedException if native operators of this kind have failed too often, or there
   *     is an executor that can run none
   */
  void requireHealthy(OperatorSwitch kind, SparkPlan node) throws UnsupportedException {
    Optional<String> ofAll = Installation.gate().refusalOfAll();
    if (ofAll.isPresent()) {
      throw new UnsupportedException(ofAll.get());
    }
    if (!settings.breaker()) {
      return;
    }
    OptionalLong query =
        KindGate.query(
            node.session().sparkContext().getLocalProperty(SQLExecution.EXECUTION_ID_KEY()));
    Optional<String> refusal = Installation.gate().refusal(kind, query);
    if (refusal.isPresent()) {
      throw new UnsupportedException(refusal.get());
    }
  }

  /** Compiles the expressions of a projection, whose operator puts in the values of subqueries. */
  Program compile(Seq<NamedExpression> expressions, List<Attribute> input)
      throws UnsupportedException {
    List<Expression> list = new ArrayList<>();
    for (NamedExpression expression : JavaConverters.seqAsJavaList(expressions)) {
      list.add((Expression) expression);
    }
    return ExpressionCompiler.compileWithSubqueries(list, input, ansi);
  }
}
