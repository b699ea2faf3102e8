package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.BroadcastCollector;
import io.spillway.operator.JoinSpec;
import io.spillway.operator.NativeBroadcastHashJoinExec;
import io.spillway.operator.NativeExchange;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.spillway.SpillwayBroadcastExchangeExec;
import scala.collection.JavaConverters;

/**
 * Hash joins with a broadcast side, together with the broadcast: one is never native without the
 * other.
 */
final class BroadcastJoinCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof BroadcastHashJoinExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.BROADCAST_HASH_JOIN;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    BroadcastHashJoinExec join = (BroadcastHashJoinExec) node;
    if (planning.orderingNeeded() && !node.outputOrdering().isEmpty()) {
      throw new UnsupportedException("the order of a join's output is relied on above it");
    }
    boolean buildLeft = join.buildSide() == BuildLeft$.MODULE$;
    SparkPlan build = buildLeft ? join.left() : join.right();
    SparkPlan probe = buildLeft ? join.right() : join.left();
    BroadcastExchangeExec exchange = build instanceof BroadcastExchangeExec its ? its : null;
    if (exchange == null && NativeBroadcastHashJoinExec.broadcast(build).isEmpty()) {
      throw new UnsupportedException("its broadcast was made for the JVM");
    }
    if (exchange != null) {
      Replacement.requireNativeForms(exchange.child());
    }
    List<Expression> buildKeys =
        JavaConverters.seqAsJavaList(buildLeft ? join.leftKeys() : join.rightKeys());
    if (DynamicPruning.isByOtherKeys(probe, build, buildKeys)) {
      throw new UnsupportedException(
          "its broadcast also prunes partitions of the other side, by other keys");
    }
    JoinSpec spec =
        JoinCompiler.compile(
            join.joinType(),
            buildLeft,
            JavaConverters.seqAsJavaList(join.leftKeys()),
            JavaConverters.seqAsJavaList(join.rightKeys()),
            join.condition().isDefined() ? join.condition().get() : null,
            Replacement.output(join.left()),
            Replacement.output(join.right()),
            planning.ansi());
    JoinSpec nullAware = join.isNullAwareAntiJoin() ? spec.nullAware() : spec;
    SparkPlan buildInput = exchange == null ? build : exchange.child();
    BroadcastCollector collector = exchange == null ? null : collector(exchange, planning);
    return new Replacement(
        true,
        Replacement.Ordering.IGNORED,
        List.of(buildInput, probe),
        inputs -> {
          SparkPlan made =
              exchange == null ? inputs.get(0) : broadcast(exchange, inputs.get(0), collector);
          SparkPlan probed = DynamicPruning.reading(exchange(made), buildKeys, inputs.get(1));
          return new NativeBroadcastHashJoinExec(
              join.leftKeys(),
              join.rightKeys(),
              join.joinType(),
              join.condition(),
              nullAware,
              buildLeft ? made : probed,
              buildLeft ? probed : made);
        });
  }

  private static BroadcastCollector collector(BroadcastExchangeExec exchange, Planning planning)
      throws UnsupportedException {
    List<Attribute> input = Replacement.output(exchange.child());
    return new BroadcastCollector(
        new NativeExchange(
            NativeExchange.Kind.SINGLE,
            ExpressionCompiler.compile(List.of(), input, planning.ansi()),
            List.of(),
            input.stream().map(Attribute::dataType).toList()));
  }

  private static SparkPlan broadcast(
      BroadcastExchangeExec exchange, SparkPlan child, BroadcastCollector collector) {
    SparkPlan made = new SpillwayBroadcastExchangeExec(exchange.mode(), child, collector);
    made.copyTagsFrom(exchange);
    return made;
  }

  /** The exchange that a plan is, or is a stage or another use of. */
  private static SpillwayBroadcastExchangeExec exchange(SparkPlan build) {
    return (SpillwayBroadcastExchangeExec) NativeBroadcastHashJoinExec.broadcast(build).get();
  }
}
