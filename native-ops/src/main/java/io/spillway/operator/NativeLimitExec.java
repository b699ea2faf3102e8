package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.AllTuples$;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/** Native counterpart of Spark's {@code LocalLimitExec} and {@code GlobalLimitExec}. */
public final class NativeLimitExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final int limit;
  private final int offset;
  private final boolean global;

  /**
   * @param limit the row of a partition behind the last one that comes out; -1: all come out
   * @param offset the first row of a partition that comes out
   * @param global whether there must be one partition only
   */
  public NativeLimitExec(int limit, int offset, boolean global, SparkPlan child) {
    super(child);
    this.limit = limit;
    this.offset = offset;
    this.global = global;
  }

  @Override
  List<Object> arguments() {
    return List.of(limit, offset, global);
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeLimitExec(limit, offset, global, newChild);
  }

  @Override
  public Seq<Attribute> output() {
    return child().output();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return child().outputOrdering();
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return ScalaCollections.seq(
        List.of(global ? AllTuples$.MODULE$ : UnspecifiedDistribution$.MODULE$));
  }

  @Override
  PartitionOperator partitionOperator() {
    List<DataType> types = types(output());
    OperatorMetrics metrics = operatorMetrics();
    long end = limit < 0 ? Long.MAX_VALUE : limit;
    long first = offset;
    return batches -> new LimitIterator(batches, first, end, types, metrics);
  }
}
