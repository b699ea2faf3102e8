package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;
import scala.collection.Seq;

/**
 * Native counterpart of Spark's {@code ShuffledHashJoinExec} and {@link SortMergeJoinExec}: joins
 * partitions of equal keys by hashing, in any amount of memory. Puts its rows out in no order.
 */
public final class NativeShuffledHashJoinExec extends NativeExec {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> leftKeys;
  private final Seq<Expression> rightKeys;
  private final JoinType joinType;
  private final Option<Expression> condition;
  private final boolean skewJoin;
  private final JoinSpec spec;

  /**
   * @param skewJoin whether adaptive execution has split large partitions, so that a partition of
   *     one side may be read by several tasks
   * @param spec the join, compiled over the children's output
   */
  public NativeShuffledHashJoinExec(
      Seq<Expression> leftKeys,
      Seq<Expression> rightKeys,
      JoinType joinType,
      Option<Expression> condition,
      boolean skewJoin,
      JoinSpec spec,
      SparkPlan left,
      SparkPlan right) {
    super(left, right);
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.joinType = joinType;
    this.condition = condition;
    this.skewJoin = skewJoin;
    this.spec = spec;
  }

  /** What it computes. */
  public JoinSpec spec() {
    return spec;
  }

  /** Whether a partition of one side may be read by several tasks. */
  public boolean isSkewJoin() {
    return skewJoin;
  }

  /** As Spark's joins say it. */
  @Override
  public String nodeName() {
    return super.nodeName() + (skewJoin ? "(skew=true)" : "");
  }

  @Override
  List<Object> arguments() {
    return List.of(leftKeys, rightKeys, joinType, condition, skewJoin, spec);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(
            List.<Object>of(
                leftKeys,
                rightKeys,
                joinType,
                spec.buildLeft() ? "BuildLeft" : "BuildRight",
                condition))
        .iterator();
  }

  @Override
  SparkPlan withChildren(List<SparkPlan> newChildren) {
    return new NativeShuffledHashJoinExec(
        leftKeys,
        rightKeys,
        joinType,
        condition,
        skewJoin,
        spec,
        newChildren.get(0),
        newChildren.get(1));
  }

  /** Spark's own operator says what comes out and how its inputs must be distributed. */
  private SortMergeJoinExec twin() {
    return new SortMergeJoinExec(
        leftKeys, rightKeys, joinType, condition, input(0), input(1), skewJoin);
  }

  @Override
  public Seq<Attribute> output() {
    return twin().output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return twin().outputPartitioning();
  }

  /** What adaptive execution checks before it lets tasks read shuffled data in another way. */
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
    JavaRDD<ColumnarBatch> left = input(0).executeColumnar().toJavaRDD();
    JavaRDD<ColumnarBatch> right = input(1).executeColumnar().toJavaRDD();
    JoinSpec join = spec;
    List<DataType> leftTypes = types(input(0).output());
    List<DataType> rightTypes = types(input(1).output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    FlatMapFunction2<Iterator<ColumnarBatch>, Iterator<ColumnarBatch>, ColumnarBatch> compute =
        (leftBatches, rightBatches) ->
            OperatorContext.iterator(
                "ShuffledHashJoin",
                () ->
                    new JoinIterator(
                        leftBatches,
                        rightBatches,
                        join,
                        leftTypes,
                        rightTypes,
                        outputTypes,
                        metrics));
    return left.zipPartitions(right, compute).rdd();
  }
}
