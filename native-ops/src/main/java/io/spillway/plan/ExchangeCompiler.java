package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.RowsAbi;
import io.spillway.operator.NativeExchange;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;
import scala.collection.JavaConverters;

/** Shuffle exchanges by hash, by range, in turn, or into one partition. */
final class ExchangeCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof ShuffleExchangeExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.SHUFFLE_EXCHANGE;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    ShuffleExchangeExec exchange = (ShuffleExchangeExec) node;
    // Every column of every row is moved.
    Replacement.requireNativeForms(exchange.child());
    List<Attribute> input = Replacement.output(exchange.child());
    Partitioning partitioning = exchange.outputPartitioning();
    NativeExchange.Kind kind = kind(partitioning);
    if (kind == NativeExchange.Kind.IN_TURN) {
      requireRoomForAHash(input);
    }
    List<Expression> keys = keys(partitioning);
    NativeExchange code =
        new NativeExchange(
            kind,
            ExpressionCompiler.compile(keys, input, planning.ansi()),
            keys.stream().map(Expression::dataType).toList(),
            input.stream().map(Attribute::dataType).toList());
    return new Replacement(
        false,
        Replacement.Ordering.IGNORED,
        List.of(exchange.child()),
        inputs ->
            new SpillwayShuffleExchangeExec(
                partitioning,
                inputs.get(0),
                exchange.shuffleOrigin(),
                exchange.advisoryPartitionSize(),
                code));
  }

  /** What the rows are routed by; nothing if all go to one partition. */
  private static List<Expression> keys(Partitioning partitioning) {
    if (partitioning instanceof HashPartitioning hash) {
      return JavaConverters.seqAsJavaList(hash.expressions());
    }
    if (partitioning instanceof RangePartitioning range) {
      return JavaConverters.seqAsJavaList(range.ordering()).stream().map(SortOrder::child).toList();
    }
    return List.of();
  }

  private static NativeExchange.Kind inTurn(int partitions) {
    if (partitions == 1) {
      return NativeExchange.Kind.SINGLE;
    }
    return SQLConf.get().sortBeforeRepartition()
        ? NativeExchange.Kind.IN_TURN
        : NativeExchange.Kind.IN_TURN_AS_THEY_COME;
  }

  private static void requireRoomForAHash(List<Attribute> input) throws UnsupportedException {
    if (input.size() >= RowsAbi.MAX_COLUMNS) {
      throw new UnsupportedException(
          input.size()
              + " columns and a hash, by which rows that are exchanged in turn are sorted; rows take "
              + RowsAbi.MAX_COLUMNS);
    }
  }

  private static NativeExchange.Kind kind(Partitioning partitioning) throws UnsupportedException {
    if (partitioning instanceof HashPartitioning) {
      return NativeExchange.Kind.HASH;
    }
    if (partitioning instanceof RangePartitioning) {
      return NativeExchange.Kind.RANGE;
    }
    if (partitioning == SinglePartition$.MODULE$) {
      return NativeExchange.Kind.SINGLE;
    }
    if (partitioning instanceof RoundRobinPartitioning) {
      return inTurn(partitioning.numPartitions());
    }
    throw new UnsupportedException("exchange by " + partitioning.getClass().getSimpleName());
  }
}
