package io.spillway.operator;

import java.util.List;
import java.util.Objects;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import scala.collection.IndexedSeq;
import scala.collection.Seq;
import scala.collection.immutable.Map;

/**
 * A native operator of a plan. Spark's own {@code UnaryExecNode} and {@code BinaryExecNode} are
 * traits with lazy values that Java cannot mix in; this is what remains of them.
 *
 * <p>Subclasses are immutable and, as Spark's plans, are compared by class, arguments and children.
 */
abstract class NativeExec extends SparkPlan implements NativeOperator {
  private static final long serialVersionUID = 1L;

  private final List<SparkPlan> inputs;
  private transient OperatorMetrics metrics;

  NativeExec(SparkPlan... children) {
    this.inputs = List.of(children);
  }

  /** The constructor's arguments without the children, as Spark's plans show and compare them. */
  abstract List<Object> arguments();

  /** The same operator over other children. */
  abstract SparkPlan withChildren(List<SparkPlan> newChildren);

  final SparkPlan input(int ordinal) {
    return inputs.get(ordinal);
  }

  final OperatorMetrics operatorMetrics() {
    synchronized (this) {
      if (metrics == null) {
        metrics = new OperatorMetrics(sparkContext());
      }
      return metrics;
    }
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return operatorMetrics().asScala();
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaCollections.seq(inputs);
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withChildren(ScalaCollections.list(newChildren));
  }

  @Override
  public String nodeName() {
    return getClass().getSimpleName().replaceFirst("^Native", "Spillway").replaceFirst("Exec$", "");
  }

  /** Types of a plan's output columns. */
  static List<DataType> types(Seq<Attribute> output) {
    return ScalaCollections.list(output).stream().map(Attribute::dataType).toList();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    throw new IllegalStateException(nodeName() + " puts out columns: a transition is missing");
  }

  @Override
  public Object productElement(int n) {
    int count = arguments().size();
    return n < count ? arguments().get(n) : inputs.get(n - count);
  }

  @Override
  public int productArity() {
    return arguments().size() + inputs.size();
  }

  @Override
  public boolean canEqual(Object that) {
    return that != null && getClass() == that.getClass();
  }

  @Override
  public boolean equals(Object that) {
    return this == that
        || (canEqual(that)
            && arguments().equals(((NativeExec) that).arguments())
            && inputs.equals(((NativeExec) that).inputs));
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass(), arguments(), inputs);
  }
}
