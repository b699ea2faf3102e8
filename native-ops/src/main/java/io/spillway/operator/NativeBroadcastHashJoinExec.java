package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;
import scala.collection.Seq;

/**
 * Native counterpart of Spark's {@link BroadcastHashJoinExec}: each executor builds the table of
 * the broadcast side once, and all tasks look their rows up in it. Where the table does not fit,
 * each executor writes the rows to disk once, by partitions, which the tasks join one by one. Puts
 * its rows out in no order.
 */
public final class NativeBroadcastHashJoinExec extends NativeExec {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> leftKeys;
  private final Seq<Expression> rightKeys;
  private final JoinType joinType;
  private final Option<Expression> condition;
  private final JoinSpec spec;

  /**
   * @param spec the join, compiled over the children's output
   * @param left a {@link NativeBroadcast}, or a stage of one, if the left side is built
   * @param right likewise, if the right side is built
   */
  public NativeBroadcastHashJoinExec(
      Seq<Expression> leftKeys,
      Seq<Expression> rightKeys,
      JoinType joinType,
      Option<Expression> condition,
      JoinSpec spec,
      SparkPlan left,
      SparkPlan right) {
    super(left, right);
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.joinType = joinType;
    this.condition = condition;
    this.spec = spec;
  }

  /** What it computes. */
  public JoinSpec spec() {
    return spec;
  }

  /**
   * The native broadcast that a plan is, or is a stage or another use of; nothing if it is none.
   */
  public static Option<NativeBroadcast> broadcast(SparkPlan plan) {
    SparkPlan node = plan;
    while (node instanceof QueryStageExec || node instanceof ReusedExchangeExec) {
      node =
          node instanceof QueryStageExec stage ? stage.plan() : ((ReusedExchangeExec) node).child();
    }
    return node instanceof NativeBroadcast found ? Option.apply(found) : Option.empty();
  }

  @Override
  List<Object> arguments() {
    return List.of(leftKeys, rightKeys, joinType, condition, spec);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(
            List.<Object>of(
                leftKeys,
                rightKeys,
                joinType,
                spec.buildLeft() ? "BuildLeft" : "BuildRight",
                condition,
                isNullAware()))
        .iterator();
  }

  private boolean isNullAware() {
    return spec.kind() == JoinSpec.Kind.NULL_AWARE_ANTI;
  }

  @Override
  SparkPlan withChildren(List<SparkPlan> newChildren) {
    return new NativeBroadcastHashJoinExec(
        leftKeys, rightKeys, joinType, condition, spec, newChildren.get(0), newChildren.get(1));
  }

  /** Spark's own operator says what comes out and how its inputs must be distributed. */
  private BroadcastHashJoinExec twin() {
    return new BroadcastHashJoinExec(
        leftKeys,
        rightKeys,
        joinType,
        spec.buildLeft() ? BuildLeft$.MODULE$ : BuildRight$.MODULE$,
        condition,
        input(0),
        input(1),
        isNullAware());
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
  public Seq<Distribution> requiredChildDistribution() {
    return twin().requiredChildDistribution();
  }

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    SparkPlan build = input(spec.buildLeft() ? 0 : 1);
    SparkPlan probe = input(spec.buildLeft() ? 1 : 0);
    Broadcast<Object> rows = broadcast(build).get().awaitRows();
    JavaRDD<ColumnarBatch> batches = probe.executeColumnar().toJavaRDD();
    String key = SharedTables.key(rows, spec);
    JoinSpec join = spec;
    List<DataType> buildTypes = types(build.output());
    List<DataType> probeTypes = types(probe.output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    // Reading the broadcast's rows puts none of the join's out.
    OperatorMetrics reading = new OperatorMetrics(sparkContext());
    FlatMapFunction<Iterator<ColumnarBatch>, ColumnarBatch> compute =
        input ->
            OperatorContext.iterator(
                "BroadcastHashJoin",
                () ->
                    new BroadcastJoinIterator(
                        input,
                        new BroadcastTable(
                            key, new BroadcastRows((byte[][]) rows.value()), buildTypes, reading),
                        join,
                        probeTypes,
                        outputTypes,
                        metrics));
    return batches.mapPartitions(compute).rdd();
  }
}
