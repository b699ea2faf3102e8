package io.spillway.operator;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import scala.Tuple2;
import scala.collection.JavaConverters;

/**
 * The value of a native broadcast: all rows of its child, as compressed images on the heap. What a
 * join makes of them is the join's. Immutable; made on the driver, read by any number of threads.
 */
final class BroadcastRows implements CollectedRows {
  private static final long serialVersionUID = 1L;
  private static final int BUFFER_BYTES = 32 * 1024;

  private final BroadcastChunk[] chunks;
  private final long rows;
  private final long bytes;

  BroadcastRows(List<BroadcastChunk> chunks) {
    this.chunks = chunks.toArray(BroadcastChunk[]::new);
    this.rows = chunks.stream().mapToLong(BroadcastChunk::rows).sum();
    this.bytes = chunks.stream().mapToLong(BroadcastChunk::bytes).sum();
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /**
   * The images for an {@link ExchangeReadIterator}, each of which must be read before the next one
   * is asked for; used by one thread.
   */
  Iterator<InternalRow> images() {
    return new Images(chunks);
  }

  @Override
  public Iterator<UnsafeRow> unsafeRows(DataType[] types) {
    return new Rows(images(), types);
  }

  /** One image after another as rows. */
  private static final class Rows implements Iterator<UnsafeRow> {
    private final Iterator<InternalRow> images;
    private final ImageVectors vectors;
    private final UnsafeProjection projection;
    private Iterator<InternalRow> rows = Collections.emptyIterator();

    Rows(Iterator<InternalRow> images, DataType[] types) {
      this.images = images;
      this.vectors = new ImageVectors(types);
      this.projection = UnsafeProjection.create(types);
    }

    @Override
    public boolean hasNext() {
      while (!rows.hasNext() && images.hasNext()) {
        rows = vectors.read(ImageInput.in(images.next()).read()).rowIterator();
      }
      return rows.hasNext();
    }

    @Override
    public UnsafeRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return projection.apply(rows.next());
    }
  }

  /** One chunk after another, with one buffer for all. */
  private static final class Images implements Iterator<InternalRow> {
    private final CompressionCodec codec =
        CompressionCodec$.MODULE$.createCodec(SparkEnv.get().conf());
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final BroadcastChunk[] chunks;
    private int next;
    private Iterator<Tuple2<Object, Object>> current;

    Images(BroadcastChunk[] chunks) {
      this.chunks = chunks;
    }

    @Override
    public boolean hasNext() {
      while (current == null || !current.hasNext()) {
        if (next == chunks.length) {
          return false;
        }
        InputStream in =
            codec.compressedInputStream(new ByteArrayInputStream(chunks[next++].compressed()));
        // Closes the stream at its end.
        current = JavaConverters.asJavaIterator(new ImageInput(in, buffer).asKeyValueIterator());
      }
      return true;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return (InternalRow) current.next()._2();
    }
  }
}
