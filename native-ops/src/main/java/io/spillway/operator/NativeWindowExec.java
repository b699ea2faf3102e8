package io.spillway.operator;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.AllTuples$;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.collection.Seq;

/**
 * What window functions need of each row, its partition and its peers, as columns behind the
 * child's; a projection above makes the functions' values of them. Native counterpart, with that
 * projection, of Spark's {@code WindowExec}, and with a filter of its {@code WindowGroupLimitExec}.
 */
public final class NativeWindowExec extends NativeColumnarExec {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final List<Attribute> functions;
  private final boolean wholePartitions;
  private final WindowSpec spec;

  /**
   * @param functions the columns that are computed, in the order of the spec's functions
   * @param wholePartitions whether a partition's rows must all be in one task
   * @param spec compiled over the child's output
   */
  public NativeWindowExec(
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      List<Attribute> functions,
      boolean wholePartitions,
      WindowSpec spec,
      SparkPlan child) {
    super(child);
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.functions = List.copyOf(functions);
    this.wholePartitions = wholePartitions;
    this.spec = spec;
  }

  @Override
  List<Object> arguments() {
    return List.of(partitionSpec, orderSpec, functions, wholePartitions, spec);
  }

  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    return ScalaCollections.seq(
            List.<Object>of(ScalaCollections.seq(functions), partitionSpec, orderSpec, child()))
        .iterator();
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeWindowExec(
        partitionSpec, orderSpec, functions, wholePartitions, spec, newChild);
  }

  @Override
  public Seq<Attribute> output() {
    List<Attribute> all = new ArrayList<>(ScalaCollections.list(child().output()));
    all.addAll(functions);
    return ScalaCollections.seq(all);
  }

  /** As Spark's own operator: a partition's rows in one place. */
  @Override
  public Seq<Distribution> requiredChildDistribution() {
    if (!wholePartitions) {
      return ScalaCollections.seq(List.of(UnspecifiedDistribution$.MODULE$));
    }
    Distribution distribution =
        partitionSpec.isEmpty()
            ? AllTuples$.MODULE$
            : new ClusteredDistribution(
                partitionSpec,
                ClusteredDistribution.apply$default$2(),
                ClusteredDistribution.apply$default$3());
    return ScalaCollections.seq(List.of(distribution));
  }

  /** As Spark's own operator: partition by partition, each in order. */
  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    List<SortOrder> order = new ArrayList<>();
    for (Expression key : ScalaCollections.list(partitionSpec)) {
      order.add(
          new SortOrder(
              key,
              Ascending$.MODULE$,
              Ascending$.MODULE$.defaultNullOrdering(),
              ScalaCollections.seq(List.of())));
    }
    order.addAll(ScalaCollections.list(orderSpec));
    return ScalaCollections.seq(List.of(ScalaCollections.seq(order)));
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
  PartitionOperator partitionOperator() {
    WindowSpec window = spec;
    List<DataType> inputTypes = types(child().output());
    List<DataType> outputTypes = types(output());
    OperatorMetrics metrics = operatorMetrics();
    return batches ->
        window.streams()
            ? new WindowStream(batches, window, inputTypes, outputTypes, metrics)
            : new WindowIterator(batches, window, inputTypes, outputTypes, metrics);
  }
}
