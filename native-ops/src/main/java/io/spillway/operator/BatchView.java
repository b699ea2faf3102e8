package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The batch that an operator hands out again and again, its columns pointed at new memory. */
final class BatchView {
  private final NativeVector[] vectors;
  private final ColumnarBatch batch;

  BatchView(List<DataType> types) {
    vectors = types.stream().map(NativeVector::new).toArray(NativeVector[]::new);
    ColumnVector[] columns = vectors.clone();
    batch = new ColumnarBatch(columns);
  }

  NativeVector vector(int ordinal) {
    return vectors[ordinal];
  }

  ColumnarBatch batch(int rows) {
    batch.setNumRows(rows);
    return batch;
  }
}
