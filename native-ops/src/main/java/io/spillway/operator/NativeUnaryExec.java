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
 * A native operator with one child. Spark's own {@code UnaryExecNode} is a trait with lazy values
 * that Java cannot mix in; this is what remains of it.
 *
 * <p>Subclasses are immutable and, as Spark's plans, are compared by class, arguments and child.
 */
abstract class NativeUnaryExec extends SparkPlan implements NativeOperator {
  private static final long serialVersionUID = 1L;

  private final SparkPlan child;
  private transient OperatorMetrics metrics;

  NativeUnaryExec(SparkPlan child) {
    this.child = child;
  }

  /** The constructor's arguments without the child, as Spark's plans show and compare them. */
  abstract List<Object> arguments();

  /** The same operator over another child. */
  abstract SparkPlan withChild(SparkPlan newChild);

  /** The only child. */
  public final SparkPlan child() {
    return child;
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
    return ScalaCollections.seq(List.of(child));
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withChild(newChildren.apply(0));
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
    return n < arguments().size() ? arguments().get(n) : child;
  }

  @Override
  public int productArity() {
    return arguments().size() + 1;
  }

  @Override
  public boolean canEqual(Object that) {
    return that != null && getClass() == that.getClass();
  }

  @Override
  public boolean equals(Object that) {
    return this == that
        || (canEqual(that)
            && arguments().equals(((NativeUnaryExec) that).arguments())
            && child.equals(((NativeUnaryExec) that).child));
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass(), arguments(), child);
  }
}
