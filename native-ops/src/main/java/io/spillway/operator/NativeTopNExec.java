package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;
import scala.collection.immutable.Map;

/**
 * The first rows of each partition in order: what Spark's {@code TakeOrderedAndProjectExec} does
 * first of all. Spark's own operator stands above it and takes the first of all partitions.
 */
public final class NativeTopNExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  /** The metric of the rows that were not left out before they were stored. */
  static final String STORED_ROWS = "storedRows";

  private final Seq<SortOrder> sortOrder;
  private final SortSpec spec;
  private transient SQLMetric storedRows;

  /**
   * @param spec the order, compiled over the child's output, and how many rows come out
   */
  public NativeTopNExec(Seq<SortOrder> sortOrder, SortSpec spec, SparkPlan child) {
    super(child);
    this.sortOrder = sortOrder;
    this.spec = spec;
  }

  private SQLMetric storedRows() {
    synchronized (this) {
      if (storedRows == null) {
        storedRows = SQLMetrics.createMetric(sparkContext(), "number of rows stored");
      }
      return storedRows;
    }
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return super.metrics().updated(STORED_ROWS, storedRows());
  }

  @Override
  List<Object> arguments() {
    return List.of(sortOrder, spec);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(List.<Object>of(spec.limit(), sortOrder, child())).iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeTopNExec(sortOrder, spec, newChild);
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

  @Override
  PartitionOperator partitionOperator() {
    SortSpec sort = spec;
    List<DataType> inputTypes = types(child().output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    SQLMetric stored = storedRows();
    return batches ->
        new SortIterator("TopN", batches, sort, inputTypes, outputTypes, metrics, stored::add);
  }
}
