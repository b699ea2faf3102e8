package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExchangeAbi;
import io.spillway.kernel.ExchangeKernels;
import io.spillway.memory.NativeBlock;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Cached batches as native ones: the wanted columns of one after the other, read into one native
 * block that the batch's columns point into.
 */
final class CachedReadIterator extends BatchIterator {
  private final Iterator<CachedBatch> batches;
  private final int[] columns;
  private final OperatorContext context;
  private final BatchView view;
  private final CachedColumn column =
      new CachedColumn(CompressionCodec$.MODULE$.createCodec(SparkEnv.get().conf()));
  private final long block;
  private final long image;
  private final long descriptor;
  private NativeBlock input;

  /**
   * @param batches made by {@link CachedBatchIterator}
   * @param columns which of theirs are read, in this order
   * @param types of those
   */
  CachedReadIterator(
      Iterator<CachedBatch> batches, int[] columns, List<DataType> types, OperatorMetrics metrics) {
    super(metrics);
    this.batches = batches;
    this.columns = columns;
    context = OperatorContext.open("Cache(read)", null, metrics);
    view = new BatchView(types);
    NativeBlock arena =
        context.memory().allocate(ExchangeAbi.READ_SIZE + ExchangeAbi.IMAGE_SIZE + Abi.COLUMN_SIZE);
    block = arena.address();
    image = block + ExchangeAbi.READ_SIZE;
    descriptor = image + ExchangeAbi.IMAGE_SIZE;
    Platform.putLong(null, block + ExchangeAbi.READ_IMAGES, image);
    Platform.putLong(null, block + ExchangeAbi.READ_COLUMNS, descriptor);
    Platform.putInt(null, block + ExchangeAbi.READ_NCOLUMNS, 1);
    Platform.putInt(null, block + ExchangeAbi.READ_NIMAGES, 1);
    Platform.putInt(null, block + ExchangeAbi.READ_CAPACITY, 0);
  }

  @Override
  ColumnarBatch compute() {
    // May cache the partition first, on this thread.
    if (!batches.hasNext()) {
      context.end();
      return null;
    }
    DefaultCachedBatch batch = (DefaultCachedBatch) batches.next();
    context.memory().batchBoundary();
    reserve(batch);
    long at = input == null ? 0 : input.address();
    for (int i = 0; i < columns.length; i++) {
      byte[] kept = batch.buffers()[columns[i]];
      column.readTo(kept, at);
      point(i, at, CachedColumn.imageBytes(kept), batch.numRows());
      at += CachedColumn.imageBytes(kept);
    }
    return view.batch(batch.numRows());
  }

  /** Makes a column of an image. */
  private void point(int ordinal, long address, int bytes, int rows) {
    NativeVector vector = view.vector(ordinal);
    NativeVector.describe(descriptor, vector.nativeType(), Abi.KIND_VECTOR, 0, 0);
    Platform.putLong(null, image + ExchangeAbi.IMAGE_ADDRESS, address);
    Platform.putLong(null, image + ExchangeAbi.IMAGE_BYTES, bytes);
    if (ExchangeKernels.readImages(block) != rows) {
      throw new IllegalStateException(
          "a cached batch of " + rows + " rows has a column with another number of rows");
    }
    vector.pointTo(
        Platform.getLong(null, descriptor + Abi.COLUMN_VALUES),
        Platform.getLong(null, descriptor + Abi.COLUMN_NULLS),
        rows);
  }

  /** Room for the wanted columns; what one large batch needed is not kept for small ones. */
  private void reserve(DefaultCachedBatch batch) {
    long bytes = 0;
    for (int number : columns) {
      // Images end at a multiple of 8, so that the next one starts at one.
      bytes += CachedColumn.imageBytes(batch.buffers()[number]);
    }
    if (input != null && (input.size() < bytes || input.size() > 4 * bytes)) {
      input.close();
      input = null;
    }
    if (input == null && bytes > 0) {
      input = context.memory().allocate(bytes);
    }
  }
}
