package io.spillway.operator;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.rdd.RDD;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;
import scala.collection.immutable.Map;

/**
 * A columnar exchange of native batches.
 *
 * @param kind how rows find their partition
 * @param keys compiled over the child's output: what the partition depends on
 * @param keyTypes of the keys
 * @param types of the exchanged columns; each has a native form
 */
public record NativeExchange(Kind kind, Program keys, List<DataType> keyTypes, List<DataType> types)
    implements ColumnarExchange {
  /** How rows find their partition. */
  public enum Kind {
    /** All go to the only one. */
    SINGLE,
    /** By Spark's hash of the keys. */
    HASH,
    /** By the range of Spark's range partitioner that the keys are in. */
    RANGE,
    /** In turn, after the rows were put in an order of their own. */
    IN_TURN,
    /**
     * In turn, as the rows come: what a task that runs again is to give must come in this order.
     */
    IN_TURN_AS_THEY_COME
  }

  public NativeExchange {
    keyTypes = List.copyOf(keyTypes);
    types = List.copyOf(types);
  }

  /** Rows that all go to one place. */
  static NativeExchange single(List<DataType> types) {
    try {
      Program noKeys = ExpressionCompiler.compile(List.of(), List.of(), false);
      return new NativeExchange(Kind.SINGLE, noKeys, List.of(), types);
    } catch (UnsupportedException e) {
      throw new IllegalStateException("no expression to compile, so none is unsupported", e);
    }
  }

  ExchangeRouting routing(OperatorContext context, Partitioner partitioner, int maxRows) {
    return switch (kind) {
      case SINGLE -> (slice, pids) -> {};
      case HASH -> new HashRouting(context, keys, partitioner.numPartitions(), maxRows);
      case RANGE -> new RangeRouting(context, keys, partitioner, maxRows);
      case IN_TURN, IN_TURN_AS_THEY_COME -> new InTurnRouting(partitioner.numPartitions());
    };
  }

  @Override
  public boolean isOrderSensitive() {
    return kind == Kind.IN_TURN_AS_THEY_COME && !types.isEmpty();
  }

  /** The rows in the order in which they are routed. */
  private Iterator<ColumnarBatch> ordered(Iterator<ColumnarBatch> rows, OperatorMetrics metrics) {
    // Rows without columns are all the same.
    return kind == Kind.IN_TURN && !types.isEmpty()
        ? new ContentOrderIterator("Exchange(sort)", rows, types, metrics)
        : rows;
  }

  @Override
  public Map<String, SQLMetric> metrics(SparkContext context) {
    return new OperatorMetrics(context).asScala();
  }

  @Override
  public Serializer serializer(SQLMetric dataSize) {
    return new ImageSerializer(dataSize);
  }

  @Override
  public RDD<InternalRow> keyRows(RDD<ColumnarBatch> batches) {
    // A job of its own, whose figures are not those of the exchange.
    OperatorMetrics own = new OperatorMetrics(batches.sparkContext());
    FlatMapFunction<Iterator<ColumnarBatch>, InternalRow> rows =
        input ->
            OperatorContext.iterator(
                "Exchange(sample)",
                () ->
                    new ColumnarToRowIterator(
                        new ProjectIterator(input, keys, types, keyTypes, own), keyTypes, own));
    return batches.toJavaRDD().mapPartitions(rows).map(InternalRow::copy).rdd();
  }

  @Override
  public RDD<Product2<Object, InternalRow>> write(
      RDD<ColumnarBatch> batches, Partitioner partitioner, Map<String, SQLMetric> metrics) {
    OperatorMetrics own = OperatorMetrics.of(metrics);
    SQLMetric records = metrics.apply(SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN());
    FlatMapFunction<Iterator<ColumnarBatch>, Product2<Object, InternalRow>> write =
        input ->
            OperatorContext.iterator(
                "Exchange(write)",
                () ->
                    new ExchangeWriteIterator(
                        "Exchange(write)",
                        ordered(input, own),
                        this,
                        partitioner,
                        own,
                        writtenRows(records)));
    return batches.toJavaRDD().mapPartitions(write).rdd();
  }

  @Override
  public RDD<ColumnarBatch> read(RDD<InternalRow> images, Map<String, SQLMetric> metrics) {
    OperatorMetrics own = OperatorMetrics.of(metrics);
    SQLMetric records = metrics.apply(SQLShuffleReadMetricsReporter.RECORDS_READ());
    FlatMapFunction<Iterator<InternalRow>, ColumnarBatch> read =
        input ->
            OperatorContext.iterator(
                "Exchange(read)",
                () -> new ExchangeReadIterator(input, types, own, readRows(records)));
    return images.toJavaRDD().mapPartitions(read).rdd();
  }

  /**
   * Spark counts every image as one record. What is between that and the image's rows is added, as
   * adaptive execution plans by the rows of a shuffle.
   */
  private static RowCount writtenRows(SQLMetric records) {
    TaskContext context = TaskContext.get();
    return rows -> {
      context.taskMetrics().shuffleWriteMetrics().incRecordsWritten(rows - 1L);
      records.add(rows - 1L);
    };
  }

  private static RowCount readRows(SQLMetric records) {
    TempShuffleReadMetrics task = TaskContext.get().taskMetrics().createTempShuffleReadMetrics();
    return rows -> {
      task.incRecordsRead(rows - 1L);
      records.add(rows - 1L);
    };
  }

  /** Hears of each image's rows. */
  @FunctionalInterface
  interface RowCount {
    void image(int rows);
  }
}
