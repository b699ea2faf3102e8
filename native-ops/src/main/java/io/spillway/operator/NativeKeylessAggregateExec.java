package io.spillway.operator;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.Option;
import scala.collection.Seq;
import scala.collection.immutable.List;

/**
 * A native aggregate without keys, which puts out a row even over no rows. Adaptive execution takes
 * a plan over a stage without rows to have none, unless it finds an aggregate of Spark's class
 * without keys in it ({@code LogicalQueryStage.computeStats}); so this is of that class, and of it
 * by nothing but the keys that it does not have.
 *
 * <p>Spark's class is a trait. What Scala makes of its values are the methods with odd names, which
 * nobody calls here.
 */
public final class NativeKeylessAggregateExec extends NativeHashAggregateExec
    implements BaseAggregateExec {
  private static final long serialVersionUID = 1L;

  /**
   * @param spec compiled over the child's output, without keys
   */
  public NativeKeylessAggregateExec(AggregateSpec spec, SparkPlan child) {
    super(spec, child);
  }

  @Override
  SparkPlan withChild(SparkPlan newChild) {
    return new NativeKeylessAggregateExec(spec(), newChild);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return withChild(newChild);
  }

  /** To whoever reads plans it is an aggregate as any other. */
  @Override
  public String nodeName() {
    return "SpillwayHashAggregate";
  }

  @Override
  public List<Distribution> requiredChildDistribution() {
    return super.requiredChildDistribution().toList();
  }

  @Override
  public Seq<NamedExpression> groupingExpressions() {
    return none();
  }

  @Override
  public Option<Seq<Expression>> requiredChildDistributionExpressions() {
    return Option.empty();
  }

  @Override
  public boolean isStreaming() {
    return false;
  }

  @Override
  public Option<Object> numShufflePartitions() {
    return Option.empty();
  }

  @Override
  public Seq<AggregateExpression> aggregateExpressions() {
    return none();
  }

  @Override
  public Seq<Attribute> aggregateAttributes() {
    return none();
  }

  @Override
  public int initialInputBufferOffset() {
    return 0;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Seq<NamedExpression> resultExpressions() {
    return (Seq<NamedExpression>) (Seq<?>) output();
  }

  @Override
  public Seq<AttributeReference> aggregateBufferAttributes() {
    return none();
  }

  @Override
  public int aliasCandidateLimit() {
    return 0;
  }

  // ---- what Scala makes of the trait's private and final values

  @Override
  public Seq<Attribute>
      org$apache$spark$sql$execution$aggregate$BaseAggregateExec$$inputAggBufferAttributes() {
    return none();
  }

  @Override
  public void
      org$apache$spark$sql$execution$aggregate$BaseAggregateExec$_setter_$org$apache$spark$sql$execution$aggregate$BaseAggregateExec$$inputAggBufferAttributes_$eq(
          Seq<Attribute> value) {
    throw new UnsupportedOperationException("only Scala's constructors set it");
  }

  @Override
  public void
      org$apache$spark$sql$execution$aggregate$BaseAggregateExec$_setter_$aggregateBufferAttributes_$eq(
          Seq<AttributeReference> value) {
    throw new UnsupportedOperationException("only Scala's constructors set it");
  }

  @Override
  public void
      org$apache$spark$sql$catalyst$plans$AliasAwareOutputExpression$_setter_$aliasCandidateLimit_$eq(
          int value) {
    throw new UnsupportedOperationException("only Scala's constructors set it");
  }

  private static <T> Seq<T> none() {
    return ScalaCollections.seq(java.util.List.of());
  }
}
