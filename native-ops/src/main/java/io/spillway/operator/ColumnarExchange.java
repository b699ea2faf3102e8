package io.spillway.operator;

import java.io.Serializable;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;
import scala.collection.immutable.Map;

/**
 * What a columnar shuffle exchange does itself, beside what it leaves to Spark's shuffle. The Scala
 * plan node, which must be one of Spark's exchanges, delegates here. Immutable; serialised to
 * executors.
 *
 * <p>Kept to what scalac's parser of Java understands.
 */
public interface ColumnarExchange extends Serializable {
  /** The SQL metrics that both sides report into, beside Spark's own; made on the driver. */
  Map<String, SQLMetric> metrics(SparkContext context);

  /**
   * Spark's shuffle calls it on the values that {@link #write} makes.
   *
   * @param dataSize gets the bytes written, before compression
   */
  Serializer serializer(SQLMetric dataSize);

  /**
   * The rows of what the partitions depend on, each an object of its own, for Spark to find the
   * ranges' bounds with.
   */
  RDD<InternalRow> keyRows(RDD<ColumnarBatch> batches);

  /**
   * Whether a row's partition depends on the order in which the rows come, so that a task that runs
   * again may put a row elsewhere. Spark then runs more of the query again after a failure.
   */
  boolean isOrderSensitive();

  /**
   * The map side.
   *
   * @param partitioner for an exchange by range it is asked with the rows' keys, for any other only
   *     for the number of partitions
   * @param metrics all of the plan node
   * @return for each partition number, of which there are as many as the exchange has, images of
   *     rows: opaque values in rows of one field, to be serialised before the next one is asked for
   */
  RDD<Product2<Object, InternalRow>> write(
      RDD<ColumnarBatch> batches, Partitioner partitioner, Map<String, SQLMetric> metrics);

  /**
   * The reduce side.
   *
   * @param images what the serializer made of a shuffle's blocks
   * @param metrics all of the plan node
   */
  RDD<ColumnarBatch> read(RDD<InternalRow> images, Map<String, SQLMetric> metrics);
}
