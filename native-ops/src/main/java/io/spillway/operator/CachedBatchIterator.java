package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * One partition of a frame on its way into Spark's cache. Rows gather as before an exchange, and
 * what becomes one image there becomes an image of each column here, so that a cached batch is
 * small enough for whoever reads it, and pressure hands out what has gathered. Used by one thread
 * at a time.
 */
final class CachedBatchIterator implements Iterator<CachedBatch> {
  private final ExchangeWriteIterator images;
  private final ColumnBounds[] bounds;
  private final boolean compress;
  private final CachedColumn column =
      new CachedColumn(CompressionCodec$.MODULE$.createCodec(SparkEnv.get().conf()));
  private final OutgoingImage image = new OutgoingImage();

  /** Of the batch that is next. */
  private int rows;

  /**
   * @param compress whether columns are compressed, with Spark's codec
   */
  CachedBatchIterator(
      Iterator<ColumnarBatch> child,
      List<DataType> types,
      boolean compress,
      OperatorMetrics metrics) {
    this.compress = compress;
    bounds = types.stream().map(ColumnBounds::new).toArray(ColumnBounds[]::new);
    images =
        new ExchangeWriteIterator(
            "Cache(write)",
            child,
            NativeExchange.single(types),
            new HashPartitioner(1),
            metrics,
            imageRows -> rows = imageRows);
  }

  @Override
  public boolean hasNext() {
    return images.hasNext();
  }

  @Override
  public CachedBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    images.next();
    byte[][] columns = new byte[bounds.length][];
    Object[] stats = new Object[bounds.length * ColumnBounds.FIELDS];
    for (int i = 0; i < columns.length; i++) {
      images.columnImage(i, image);
      bounds[i].write(image.address(), rows, stats, i * ColumnBounds.FIELDS);
      columns[i] = column.write(image, compress);
    }
    // Spark's own class: registered with Kryo wherever that is asked for, and known to every
    // executor.
    return new DefaultCachedBatch(rows, columns, new GenericInternalRow(stats));
  }
}
