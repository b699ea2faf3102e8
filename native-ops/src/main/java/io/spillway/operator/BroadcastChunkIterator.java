package io.spillway.operator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;

/**
 * One partition of a broadcast's child as {@link BroadcastChunk}s, each of about a mebibyte before
 * compression, on their way to the driver. Used by one thread at a time.
 */
final class BroadcastChunkIterator implements Iterator<byte[]> {
  private static final long CHUNK_BYTES = 1L << 20;

  private final CompressionCodec codec =
      CompressionCodec$.MODULE$.createCodec(SparkEnv.get().conf());
  private final byte[] buffer = new byte[OutgoingImage.BUFFER_BYTES];
  private final ExchangeWriteIterator images;
  private long rows;

  /** Rows of the images that were handed out; the next one may have been made. */
  private long rowsBefore;

  BroadcastChunkIterator(
      Iterator<ColumnarBatch> child, NativeExchange exchange, OperatorMetrics metrics) {
    images =
        new ExchangeWriteIterator(
            "Broadcast(write)",
            child,
            exchange,
            new HashPartitioner(1),
            metrics,
            imageRows -> rows += imageRows);
  }

  @Override
  public boolean hasNext() {
    return images.hasNext();
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[BroadcastChunk.HEAD_BYTES]);
    // The image at hand is counted already.
    long before = rowsBefore;
    long written = 0;
    try (OutputStream out = codec.compressedOutputStream(bytes)) {
      do {
        written += write(images.next(), out);
        rowsBefore = rows;
      } while (written < CHUNK_BYTES && images.hasNext());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] chunk = bytes.toByteArray();
    BroadcastChunk.writeHead(chunk, rowsBefore - before, written);
    return chunk;
  }

  private long write(Product2<Object, InternalRow> pair, OutputStream out) throws IOException {
    OutgoingImage image = OutgoingImage.in(pair._2());
    image.writeTo(out, buffer);
    return image.bytes();
  }
}
