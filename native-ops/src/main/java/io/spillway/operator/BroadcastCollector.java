package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;

/**
 * What a native broadcast exchange does itself, beside what it leaves to Spark's broadcasts.
 *
 * @param exchange of one partition and the child's columns
 */
public record BroadcastCollector(NativeExchange exchange) implements ColumnarBroadcast {
  @Override
  public Map<String, SQLMetric> metrics(SparkContext context) {
    return new OperatorMetrics(context).asScala();
  }

  @Override
  public CollectedRows rowsOf(Object value) {
    return new BroadcastRows((byte[][]) value);
  }

  @Override
  public CollectedRows collect(RDD<ColumnarBatch> batches, Map<String, SQLMetric> metrics) {
    OperatorMetrics own = OperatorMetrics.of(metrics);
    FlatMapFunction<Iterator<ColumnarBatch>, byte[]> write =
        input ->
            OperatorContext.iterator(
                "Broadcast(write)", () -> new BroadcastChunkIterator(input, exchange, own));
    List<byte[]> chunks = batches.toJavaRDD().mapPartitions(write).collect();
    return new BroadcastRows(chunks.toArray(byte[][]::new));
  }
}
