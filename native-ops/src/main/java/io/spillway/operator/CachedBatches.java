package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Batches as they are cached, each column an image. */
final class CachedBatches extends ConvertedRdd<ColumnarBatch, CachedBatch> {
  private static final long serialVersionUID = 1L;

  private final List<DataType> types;
  private final boolean compress;
  private final OperatorMetrics metrics;

  CachedBatches(
      RDD<ColumnarBatch> batches, List<DataType> types, boolean compress, OperatorMetrics metrics) {
    super(batches, CachedBatch.class);
    this.types = types;
    this.compress = compress;
    this.metrics = metrics;
  }

  @Override
  Iterator<CachedBatch> convert(Iterator<ColumnarBatch> batches) {
    return OperatorContext.iterator(
        "Cache(write)", () -> new CachedBatchIterator(batches, types, compress, metrics));
  }
}
