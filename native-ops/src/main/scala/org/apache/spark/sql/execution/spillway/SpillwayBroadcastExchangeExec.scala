package org.apache.spark.sql.execution.spillway

import java.util.concurrent.{Future, TimeoutException, TimeUnit}

import scala.collection.JavaConverters._
import scala.concurrent.Promise
import scala.util.control.NonFatal

import io.spillway.operator.{ColumnarBroadcast, NativeBroadcast, NativeOperator}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastMode, BroadcastPartitioning, Partitioning}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, BroadcastExchangeLike}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.SparkFatalException

/**
 * The place of Spark's `BroadcastExchangeExec` below a native join: the child's rows as they are,
 * through Spark's own broadcasts. Only Spark's machinery is here; what is made of batches is
 * `collector`'s, which Spark's comparison of plans leaves out, as it follows from the rest.
 */
case class SpillwayBroadcastExchangeExec(
    mode: BroadcastMode,
    child: SparkPlan)(val collector: ColumnarBroadcast)
    extends BroadcastExchangeLike with NativeBroadcast with NativeOperator {

  override lazy val metrics: Map[String, SQLMetric] = collector.metrics(sparkContext) ++ Map(
    "dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "data size"),
    "collectTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to collect"),
    "broadcastTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to broadcast"))

  override def nodeName: String = "SpillwayBroadcastExchange"

  override def outputPartitioning: Partitioning = BroadcastPartitioning(mode)

  override def supportsColumnar: Boolean = true

  override def doCanonicalize(): SparkPlan =
    SpillwayBroadcastExchangeExec(mode.canonicalized, child.canonicalized)(collector)

  override def runtimeStatistics: Statistics =
    Statistics(metrics("dataSize").value, Some(metrics("numOutputRows").value))

  @transient private val timeoutSeconds: Long = conf.broadcastTimeout

  @transient private lazy val promise = Promise[Broadcast[Any]]()

  @transient override lazy val completionFuture: scala.concurrent.Future[Broadcast[Any]] =
    promise.future

  @transient override lazy val relationFuture: Future[Broadcast[Any]] =
    SQLExecution.withThreadLocalCaptured[Broadcast[Any]](
      session,
      SpillwayBroadcastExchangeExec.threads) {
      try {
        // The tag by which the job can be cancelled.
        sparkContext.addJobTag(jobTag)
        sparkContext.setInterruptOnCancel(true)
        val value = broadcastRows()
        promise.trySuccess(value)
        value
      } catch {
        case e: OutOfMemoryError =>
          // Of the driver's heap: it goes on, as with Spark's own broadcasts.
          val wrapped = new SparkFatalException(
            QueryExecutionErrors.notEnoughMemoryToBuildAndBroadcastTableError(e, Nil))
          promise.tryFailure(wrapped)
          throw wrapped
        // Scala's futures lose what is fatal; Spark's wait for them unwraps this.
        case e: Throwable if !NonFatal(e) =>
          val wrapped = new SparkFatalException(e)
          promise.tryFailure(wrapped)
          throw wrapped
        case e: Throwable =>
          promise.tryFailure(e)
          throw e
      }
    }

  private def broadcastRows(): Broadcast[Any] = {
    val start = System.nanoTime()
    val rows = collector.collect(child.executeColumnar(), metrics)
    val collected = System.nanoTime()
    metrics("collectTime") += TimeUnit.NANOSECONDS.toMillis(collected - start)
    metrics("numOutputRows") += rows.rows
    metrics("dataSize") += rows.bytes
    if (rows.rows >= SpillwayBroadcastExchangeExec.MaxRows) {
      throw QueryExecutionErrors.cannotBroadcastTableOverMaxTableRowsError(
        SpillwayBroadcastExchangeExec.MaxRows, rows.rows)
    }
    if (rows.bytes >= BroadcastExchangeExec.MAX_BROADCAST_TABLE_BYTES) {
      throw QueryExecutionErrors.cannotBroadcastTableOverMaxTableBytesError(
        BroadcastExchangeExec.MAX_BROADCAST_TABLE_BYTES, rows.bytes)
    }
    val value = sparkContext.broadcastInternal[Any](rows.value, serializedOnly = true)
    metrics("broadcastTime") += TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - collected)
    SQLMetrics.postDriverMetricUpdates(
      sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      metrics.values.toSeq)
    value
  }

  /** Starts to collect. */
  override protected def doPrepare(): Unit = relationFuture

  override def awaitRows(): Broadcast[Object] = executeQuery {
    try {
      relationFuture.get(timeoutSeconds, TimeUnit.SECONDS).asInstanceOf[Broadcast[Object]]
    } catch {
      case e: TimeoutException =>
        logError(s"No broadcast after $timeoutSeconds s.", e)
        if (!relationFuture.isDone) {
          sparkContext.cancelJobsWithTag(jobTag)
          relationFuture.cancel(true)
        }
        throw QueryExecutionErrors.executeBroadcastTimeoutError(timeoutSeconds, Some(e))
    }
  }

  /** Guards `forTheJvm`; not this node, which the thread that collects the rows needs. */
  @transient private val relationLock = new Object

  @transient private var forTheJvm: Option[Broadcast[Any]] = None

  /**
   * For readers on the JVM, which want the relation that Spark's own exchange broadcasts: of the
   * rows that were collected, made on the driver. Such a reader is dynamic partition pruning beside
   * a native join, or a join in an adaptive plan whose settings have changed in the middle.
   */
  override protected[sql] def doExecuteBroadcast[T](): Broadcast[T] = {
    val rows = collector.rowsOf(awaitRows().value)
    relationLock.synchronized {
      if (forTheJvm.isEmpty) {
        val all = rows.unsafeRows(output.map(_.dataType).toArray).asScala
        val relation = mode.transform(all, Some(rows.rows))
        forTheJvm = Some(sparkContext.broadcastInternal[Any](relation, serializedOnly = true))
      }
      forTheJvm.get.asInstanceOf[Broadcast[T]]
    }
  }

  override protected def doExecute(): RDD[InternalRow] =
    throw QueryExecutionErrors.executeCodePathUnsupportedError(nodeName)

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] =
    throw QueryExecutionErrors.executeCodePathUnsupportedError(nodeName)

  override protected def otherCopyArgs: Seq[AnyRef] = collector :: Nil

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)(collector)
}

object SpillwayBroadcastExchangeExec {
  /** Spark's limit for the tables that it can build of any keys. */
  private val MaxRows = 512000000L

  /** Spark's own, as many as `spark.sql.broadcastExchange.maxThreadThreshold`. */
  private def threads = BroadcastExchangeExec.executionContext
}
