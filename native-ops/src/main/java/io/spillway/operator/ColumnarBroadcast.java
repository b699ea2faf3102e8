package io.spillway.operator;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;

/**
 * What a columnar broadcast exchange does itself, beside what it leaves to Spark's broadcasts. The
 * Scala plan node delegates here. Immutable.
 *
 * <p>Kept to what scalac's parser of Java understands.
 */
public interface ColumnarBroadcast extends Serializable {
  /** The SQL metrics beside Spark's own; made on the driver. */
  Map<String, SQLMetric> metrics(SparkContext context);

  /**
   * Collects all rows in a job, on the calling thread.
   *
   * @param metrics all of the plan node
   * @return the rows, and in them what is broadcast
   */
  CollectedRows collect(RDD<ColumnarBatch> batches, Map<String, SQLMetric> metrics);

  /**
   * The rows again.
   *
   * @param value of {@link CollectedRows#value}
   */
  CollectedRows rowsOf(Object value);
}
