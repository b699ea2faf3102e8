package io.spillway.operator;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.PartitioningCollection;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/**
 * Native counterpart of Spark's {@code HashAggregateExec}, without its result expressions: groups
 * by the keys and puts out keys and buffers (partial) or keys and results (final).
 */
public class NativeHashAggregateExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final AggregateSpec spec;

  /**
   * @param spec compiled over the child's output
   */
  public NativeHashAggregateExec(AggregateSpec spec, SparkPlan child) {
    super(child);
    this.spec = spec;
  }

  /** What it computes. */
  public AggregateSpec spec() {
    return spec;
  }

  @Override
  List<Object> arguments() {
    return List.of(spec);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(List.<Object>of(spec.describe(), child())).iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeHashAggregateExec(spec, newChild);
  }

  @Override
  public Seq<Attribute> output() {
    return spec.output();
  }

  /** What adaptive execution checks before it lets tasks read shuffled data in another way. */
  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return ScalaCollections.seq(List.of(spec.requiredChildDistribution()));
  }

  @Override
  public Partitioning outputPartitioning() {
    Partitioning given = child().outputPartitioning();
    List<Partitioning> kept = new ArrayList<>();
    keepKnown(given, kept);
    return switch (kept.size()) {
      case 0 -> new UnknownPartitioning(given.numPartitions());
      case 1 -> kept.get(0);
      default -> new PartitioningCollection(ScalaCollections.seq(kept));
    };
  }

  /** Those that are of columns that come out, as Spark's aggregates keep them. */
  private void keepKnown(Partitioning given, List<Partitioning> kept) {
    if (given instanceof PartitioningCollection all) {
      ScalaCollections.list(all.partitionings()).forEach(each -> keepKnown(each, kept));
    } else if (!(given instanceof Expression expression)
        || expression.references().subsetOf(outputSet())) {
      kept.add(given);
    }
  }

  @Override
  PartitionOperator partitionOperator() {
    AggregateSpec aggregate = spec;
    List<DataType> inputTypes = types(child().output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    return batches -> new AggregateIterator(batches, aggregate, inputTypes, outputTypes, metrics);
  }
}
