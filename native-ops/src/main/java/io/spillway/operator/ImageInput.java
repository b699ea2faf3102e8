package io.spillway.operator;

import io.spillway.kernel.ExchangeAbi;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.Platform;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * Reads images from one of Spark's shuffle streams. It hands out itself, in a row, once for each
 * image, with only the header read: whoever gets it asks for the size, reserves memory, and then
 * reads the image to where it shall lie, before it asks for the next one. Used by one thread.
 */
final class ImageInput extends DeserializationStream {
  private final InputStream in;
  private final byte[] buffer;
  private final InternalRow row = new GenericInternalRow(new Object[] {this});
  private final byte[] header = new byte[ExchangeAbi.IMAGE_HEADER_BYTES];
  private int bytes;
  private int rows;
  private boolean bodyPending;

  /**
   * @param buffer on the heap, shared with other streams of the same task
   */
  ImageInput(InputStream in, byte[] buffer) {
    this.in = in;
    this.buffer = buffer;
  }

  /** What a row carries. */
  static ImageInput in(InternalRow row) {
    return (ImageInput) row.get(0, null);
  }

  /** Bytes of the image whose header was read last. */
  int bytes() {
    return bytes;
  }

  /** Its rows. */
  int rows() {
    return rows;
  }

  /**
   * Reads the whole image to native memory.
   *
   * @param target address of {@link #bytes} bytes
   */
  void readTo(long target) {
    begin();
    Platform.copyMemory(header, Platform.BYTE_ARRAY_OFFSET, null, target, header.length);
    int at = header.length;
    while (at < bytes) {
      int part = Math.min(buffer.length, bytes - at);
      readBody(buffer, 0, part, at);
      Platform.copyMemory(buffer, Platform.BYTE_ARRAY_OFFSET, null, target + at, part);
      at += part;
    }
  }

  /** Reads the whole image to the heap. */
  byte[] read() {
    begin();
    byte[] image = Arrays.copyOf(header, bytes);
    readBody(image, header.length, bytes - header.length, header.length);
    return image;
  }

  private void begin() {
    if (!bodyPending) {
      throw new IllegalStateException("an exchanged batch can be read only once");
    }
    bodyPending = false;
  }

  private void readBody(byte[] target, int offset, int part, int at) {
    try {
      if (in.readNBytes(target, offset, part) < part) {
        throw new EOFException(
            "a shuffle block ends inside a batch of " + bytes + " bytes, after about " + at);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean readHeader() {
    if (bodyPending) {
      throw new IllegalStateException(
          "the next exchanged batch was asked for before the last one was read");
    }
    try {
      int read = in.readNBytes(header, 0, header.length);
      if (read == 0) {
        in.close();
        return false;
      }
      ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      bytes = fields.getInt();
      rows = fields.getInt();
      if (read < header.length || bytes < header.length || rows < 1) {
        throw new IOException(
            "a shuffle block is damaged: a batch of " + bytes + " bytes and " + rows + " rows");
      }
      bodyPending = true;
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Iterator<Tuple2<Object, Object>> asKeyValueIterator() {
    return new AbstractIterator<>() {
      private boolean ready;
      private boolean ended;

      @Override
      public boolean hasNext() {
        if (!ready && !ended) {
          ready = readHeader();
          ended = !ready;
        }
        return ready;
      }

      @Override
      public Tuple2<Object, Object> next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        ready = false;
        return new Tuple2<>(0, row);
      }
    };
  }

  @Override
  public <T> T readObject(ClassTag<T> tag) {
    throw new UnsupportedOperationException("a shuffle is read by its iterator of keys and values");
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
