package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Native batches as rows. Whoever can take batches asks for its source instead. */
final class RowsOfBatches extends ConvertedRdd<ColumnarBatch, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final List<DataType> types;
  private final OperatorMetrics metrics;

  RowsOfBatches(RDD<ColumnarBatch> batches, List<DataType> types, OperatorMetrics metrics) {
    super(batches, InternalRow.class);
    this.types = types;
    this.metrics = metrics;
  }

  @Override
  Iterator<InternalRow> convert(Iterator<ColumnarBatch> batches) {
    return OperatorContext.iterator(
        "ColumnarToRow", () -> new ColumnarToRowIterator(batches, types, metrics));
  }
}
