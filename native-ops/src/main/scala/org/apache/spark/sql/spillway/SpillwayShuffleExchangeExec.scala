package org.apache.spark.sql.spillway

import scala.concurrent.Future

import io.spillway.operator.{ColumnarExchange, NativeOperator}
import org.apache.spark.{MapOutputStatistics, Partitioner, PartitionIdPassthrough, RangePartitioner, ShuffleDependency}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, SortOrder}
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, RangePartitioning}
import org.apache.spark.sql.execution.{ShuffledRowRDD, ShufflePartitionSpec, SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeExec, ShuffleExchangeLike, ShuffleOrigin}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.metric.{SQLShuffleReadMetricsReporter, SQLShuffleWriteMetricsReporter}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.MutablePair

/**
 * The place of Spark's `ShuffleExchangeExec` between native operators: batches in, batches out,
 * through Spark's own shuffle. Only Spark's machinery is here; what happens to batches is
 * `exchange`'s, which Spark's comparison of plans leaves out, as it follows from the rest.
 */
case class SpillwayShuffleExchangeExec(
    override val outputPartitioning: Partitioning,
    child: SparkPlan,
    shuffleOrigin: ShuffleOrigin,
    advisoryPartitionSize: Option[Long])(val exchange: ColumnarExchange)
    extends ShuffleExchangeLike with NativeOperator {

  private lazy val writeMetrics =
    SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)

  private lazy val readMetrics =
    SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "data size"),
    "numPartitions" -> SQLMetrics.createMetric(sparkContext, "number of partitions")
  ) ++ readMetrics ++ writeMetrics ++ exchange.metrics(sparkContext)

  @transient private lazy val batches: RDD[ColumnarBatch] = child.executeColumnar()

  /** The shuffle, made once: whoever reuses this exchange reads the same one. */
  @transient lazy val shuffleDependency: ShuffleDependency[Int, InternalRow, InternalRow] = {
    val router = outputPartitioning match {
      case RangePartitioning(orders, _) => ranges(orders)
      case other => new PartitionIdPassthrough(other.numPartitions)
    }
    val partitions = router.numPartitions
    // Int is an object to Java's generic types.
    val images =
      exchange.write(batches, router, metrics).asInstanceOf[RDD[Product2[Int, InternalRow]]]
    val marked = images.mapPartitionsWithIndexInternal(
      (_, partition) => partition,
      isOrderSensitive = exchange.isOrderSensitive)
    val dependency = new ShuffleDependency[Int, InternalRow, InternalRow](
      marked,
      new PartitionIdPassthrough(partitions),
      exchange.serializer(metrics("dataSize")),
      shuffleWriterProcessor = ShuffleExchangeExec.createShuffleWriteProcessor(writeMetrics))
    metrics("numPartitions").set(partitions)
    SQLMetrics.postDriverMetricUpdates(
      sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      metrics("numPartitions") :: Nil)
    dependency
  }

  /** Runs a job that samples the keys, as Spark's exchange does. */
  private def ranges(orders: Seq[SortOrder]): Partitioner = {
    implicit val ordering: Ordering[InternalRow] = new LazilyGeneratedOrdering(
      orders.zipWithIndex.map { case (order, i) =>
        order.copy(child = BoundReference(i, order.dataType, order.nullable))
      })
    new RangePartitioner(
      outputPartitioning.numPartitions,
      exchange.keyRows(batches).map(row => new MutablePair[InternalRow, Null](row, null)),
      ascending = true,
      samplePointsPerPartitionHint = SQLConf.get.rangeExchangeSampleSizePerPartition)
  }

  @transient override protected lazy val mapOutputStatisticsFuture: Future[MapOutputStatistics] =
    if (batches.getNumPartitions == 0) {
      Future.successful(null)
    } else {
      sparkContext.submitMapStage(shuffleDependency)
    }

  override def nodeName: String = "SpillwayExchange"

  override def supportsColumnar: Boolean = true

  override def numMappers: Int = shuffleDependency.rdd.getNumPartitions

  override def numPartitions: Int = shuffleDependency.partitioner.numPartitions

  override def runtimeStatistics: Statistics = Statistics(
    metrics("dataSize").value,
    Some(metrics(SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN).value))

  /** Spark's own reader of SQL shuffles, which knows all ways to read one, gives the images. */
  override def getShuffleRDD(specs: Array[ShufflePartitionSpec]): RDD[ColumnarBatch] =
    exchange.read(new ShuffledRowRDD(shuffleDependency, readMetrics, specs), metrics)

  @transient private lazy val wholeShuffle: RDD[ColumnarBatch] =
    exchange.read(new ShuffledRowRDD(shuffleDependency, readMetrics), metrics)

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = wholeShuffle

  override protected def doExecute(): RDD[InternalRow] =
    throw new IllegalStateException(nodeName + " puts out columns: a transition is missing")

  override protected def otherCopyArgs: Seq[AnyRef] = exchange :: Nil

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)(exchange)
}
