package org.apache.spark.sql.spillway

import io.spillway.operator.NativeOperator
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Stands on a native aggregate without keys and does nothing but be known: adaptive execution takes
 * a plan over a stage without rows to have none either, unless it finds an aggregate of Spark's
 * kind without keys in it, which puts out a row all the same.
 */
case class SpillwayKeylessAggregateExec(child: SparkPlan)
    extends BaseAggregateExec with NativeOperator {

  // What the aggregate demands and computes, its child says; this node is of Spark's kind by the
  // keys that it does not have.
  override def requiredChildDistributionExpressions: Option[Seq[Expression]] = None

  override def isStreaming: Boolean = false

  override def numShufflePartitions: Option[Int] = None

  override def groupingExpressions: Seq[NamedExpression] = Nil

  override def aggregateExpressions: Seq[AggregateExpression] = Nil

  override def aggregateAttributes: Seq[Attribute] = Nil

  override def initialInputBufferOffset: Int = 0

  override def resultExpressions: Seq[NamedExpression] = child.output

  override def nodeName: String = "SpillwayKeylessAggregate"

  override def verboseStringWithOperatorId(): String = formattedNodeName

  /** Those of the aggregate. */
  override lazy val metrics: Map[String, SQLMetric] = child.metrics

  override def supportsColumnar: Boolean = true

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = child.executeColumnar()

  override protected def doExecute(): RDD[InternalRow] =
    throw new IllegalStateException(nodeName + " puts out columns: a transition is missing")

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}
