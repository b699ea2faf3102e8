package org.apache.spark.sql.spillway

import scala.concurrent.Future

import org.apache.spark.MapOutputStatistics
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ColumnarToRowExec, ShufflePartitionSpec, SparkPlan}
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeExec, ShuffleExchangeLike, ShuffleOrigin}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.types.LongType
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/**
 * The smallest exchange that takes and gives batches: columns of longs, moved by Spark's own row
 * shuffle. It proves the joint that a real columnar exchange will use, no more.
 */
case class PassThroughExchangeExec(original: ShuffleExchangeExec, child: SparkPlan)
    extends ShuffleExchangeLike {

  // Spark resolves the shuffle once an instance; so must this.
  @transient private lazy val rows: ShuffleExchangeExec =
    original.copy(child = ColumnarToRowExec(child))

  override def supportsColumnar: Boolean = true
  override def outputPartitioning: Partitioning = original.outputPartitioning
  override def numMappers: Int = rows.numMappers
  override def numPartitions: Int = rows.numPartitions
  override def advisoryPartitionSize: Option[Long] = original.advisoryPartitionSize
  override def shuffleOrigin: ShuffleOrigin = original.shuffleOrigin
  override lazy val metrics: Map[String, SQLMetric] = rows.metrics
  override def runtimeStatistics: Statistics = rows.runtimeStatistics

  override protected def mapOutputStatisticsFuture: Future[MapOutputStatistics] =
    rows.submitShuffleJob

  override def getShuffleRDD(specs: Array[ShufflePartitionSpec]): RDD[ColumnarBatch] =
    batches(rows.getShuffleRDD(specs))

  override protected def doExecute(): RDD[InternalRow] =
    throw new IllegalStateException("columns only")

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = batches(rows.execute())

  private def batches(shuffled: RDD[InternalRow]): RDD[ColumnarBatch] = {
    val fields = output.map(_.dataType)
    require(fields.forall(_ == LongType), "only columns of longs")
    // Spark hands out one row object again and again; a group of them needs copies.
    shuffled.mapPartitions(_.map(_.copy()).grouped(100).map { group =>
      val vectors = fields.map(field => new OnHeapColumnVector(group.size, field)).toArray
      vectors.indices.foreach { i => group.foreach(row => vectors(i).appendLong(row.getLong(i))) }
      new ColumnarBatch(vectors.toArray[ColumnVector], group.size)
    })
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}
