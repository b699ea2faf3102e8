package io.spillway.operator;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
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
 * All rows of a native broadcast's child, as compressed images on the heap. What a join makes of
 * them is the join's. Immutable; read by any number of threads.
 */
final class BroadcastRows implements CollectedRows {
  private final byte[][] chunks;
  private final long rows;
  private final long bytes;

  /**
   * @param chunks the broadcast's value, as {@link BroadcastChunk} says
   */
  BroadcastRows(byte[][] chunks) {
    this.chunks = chunks;
    this.rows = Arrays.stream(chunks).mapToLong(BroadcastChunk::rows).sum();
    this.bytes = Arrays.stream(chunks).mapToLong(BroadcastChunk::bytes).sum();
  }

  @Override
  public Object value() {
    return chunks;
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
    private final byte[] buffer = new byte[OutgoingImage.BUFFER_BYTES];
    private final byte[][] chunks;
    private int next;
    private Iterator<Tuple2<Object, Object>> current;

    Images(byte[][] chunks) {
      this.chunks = chunks;
    }

    @Override
    public boolean hasNext() {
      while (current == null || !current.hasNext()) {
        if (next == chunks.length) {
          return false;
        }
        InputStream in =
            codec.compressedInputStream(BroadcastChunk.compressedImages(chunks[next++]));
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
