package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/** Native counterpart of Spark's {@link SortExec}: each partition in order. */
public final class NativeSortExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final Seq<SortOrder> sortOrder;
  private final boolean global;
  private final SortSpec spec;

  /**
   * @param global whether the partitions follow each other in order too
   * @param spec the order, compiled over the child's output
   */
  public NativeSortExec(Seq<SortOrder> sortOrder, boolean global, SortSpec spec, SparkPlan child) {
    super(child);
    this.sortOrder = sortOrder;
    this.global = global;
    this.spec = spec;
  }

  @Override
  List<Object> arguments() {
    return List.of(sortOrder, global, spec);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(List.<Object>of(sortOrder, global, child())).iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeSortExec(sortOrder, global, spec, newChild);
  }

  @Override
  public Seq<Attribute> output() {
    return child().output();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return sortOrder;
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  /** What Spark's own operator demands: ranges if the partitions are to follow each other. */
  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return new SortExec(sortOrder, global, child(), 0).requiredChildDistribution();
  }

  @Override
  PartitionOperator partitionOperator() {
    SortSpec sort = spec;
    List<DataType> inputTypes = types(child().output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    return batches ->
        new SortIterator("Sort", batches, sort, inputTypes, outputTypes, metrics, storedRows -> {});
  }
}
