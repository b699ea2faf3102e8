package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.execution.ColumnarToRowEvaluatorFactory;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Seq;
import scala.reflect.ClassTag;

/**
 * Frames in Spark's cache, each column of a batch an image on the heap: into it and out of it. All
 * types have a native form, and there is at least one column. Called on the driver; stateless.
 */
public final class CachedFrames {
  private CachedFrames() {}

  /**
   * Rows to be cached. Those that a transition makes of native batches are not made: the batches
   * are cached.
   *
   * @param compress whether Spark's codec compresses the columns
   */
  public static RDD<CachedBatch> ofRows(
      RDD<InternalRow> rows, List<DataType> types, boolean compress) {
    return ofBatches(
        rows instanceof RowsOfBatches converted ? converted.source() : toBatches(rows, types),
        types,
        compress);
  }

  /** Batches of any operator to be cached. */
  public static RDD<CachedBatch> ofBatches(
      RDD<ColumnarBatch> batches, List<DataType> types, boolean compress) {
    return new CachedBatches(
        batches, List.copyOf(types), compress, new OperatorMetrics(batches.sparkContext()));
  }

  /**
   * Whether a cached frame has this form: Spark's own may have been used.
   *
   * @param cached the frame's batches, or some of them
   */
  public static boolean areNative(RDD<CachedBatch> cached) {
    RDD<?> at = cached;
    // No further than batches go: what they were made of may be a cached frame itself.
    while (CachedBatch.class.isAssignableFrom(at.elementClassTag().runtimeClass())) {
      if (at instanceof CachedBatches) {
        return true;
      }
      if (at.dependencies().isEmpty()) {
        return false;
      }
      at = at.dependencies().head().rdd();
    }
    return false;
  }

  /**
   * Native batches of a cached frame.
   *
   * @param cached in this form
   * @param columns which are read, in this order
   * @param types of those
   */
  public static RDD<ColumnarBatch> batches(
      RDD<CachedBatch> cached, int[] columns, List<DataType> types) {
    OperatorMetrics metrics = new OperatorMetrics(cached.sparkContext());
    List<DataType> wanted = List.copyOf(types);
    FlatMapFunction<Iterator<CachedBatch>, ColumnarBatch> read =
        input ->
            OperatorContext.iterator(
                "Cache(read)", () -> new CachedReadIterator(input, columns, wanted, metrics));
    return cached.toJavaRDD().mapPartitions(read).rdd();
  }

  /** Native batches as rows. */
  public static RDD<InternalRow> toRows(RDD<ColumnarBatch> batches, List<DataType> types) {
    return new RowsOfBatches(
        batches, List.copyOf(types), new OperatorMetrics(batches.sparkContext()));
  }

  /** Batches of any operator as rows, made by Spark's own transition. */
  public static RDD<InternalRow> rowsOnTheJvm(RDD<ColumnarBatch> batches, Seq<Attribute> schema) {
    SparkContext context = batches.sparkContext();
    ColumnarToRowEvaluatorFactory transition =
        new ColumnarToRowEvaluatorFactory(
            schema,
            SQLMetrics.createMetric(context, "number of output rows"),
            SQLMetrics.createMetric(context, "number of input batches"));
    return batches.mapPartitionsWithEvaluator(transition, ClassTag.apply(InternalRow.class));
  }

  /** Rows as native batches. */
  public static RDD<ColumnarBatch> toBatches(RDD<InternalRow> rows, List<DataType> types) {
    OperatorMetrics metrics = new OperatorMetrics(rows.sparkContext());
    List<DataType> all = List.copyOf(types);
    FlatMapFunction<Iterator<InternalRow>, ColumnarBatch> convert =
        input ->
            OperatorContext.iterator(
                "RowToColumnar", () -> new RowToColumnarIterator(input, all, metrics));
    return rows.toJavaRDD().mapPartitions(convert).rdd();
  }
}
