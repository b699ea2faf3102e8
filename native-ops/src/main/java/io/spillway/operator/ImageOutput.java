package io.spillway.operator;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.reflect.ClassTag;

/**
 * Writes images to one of Spark's shuffle streams, which it closes. Used by the task's thread.
 *
 * <p>What the disk throws reaches Spark as the {@code IOException} that it is, though Scala's
 * signatures do not tell Java of it: Spark's writers expect that class when they clean up after a
 * failure, and would leave their files for any other.
 */
final class ImageOutput extends SerializationStream {
  private final OutputStream out;
  private final byte[] buffer;
  private final SQLMetric dataSize;
  private boolean closed;

  ImageOutput(OutputStream out, byte[] buffer, SQLMetric dataSize) {
    this.out = out;
    this.buffer = buffer;
    this.dataSize = dataSize;
  }

  /** The partition number, which says which stream this is. */
  @Override
  public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
    return this;
  }

  @Override
  public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
    OutgoingImage image = OutgoingImage.in((InternalRow) value);
    dataSize.add(image.bytes());
    try {
      image.writeTo(out, buffer);
    } catch (IOException e) {
      throw ImageOutput.<RuntimeException>asItIs(e);
    }
    return this;
  }

  @Override
  public <T> SerializationStream writeObject(T value, ClassTag<T> tag) {
    throw new UnsupportedOperationException("a shuffle writes keys and values");
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw ImageOutput.<RuntimeException>asItIs(e);
    }
  }

  /** Only once, also if it failed: Spark closes again what failed to close. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      throw ImageOutput.<RuntimeException>asItIs(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException asItIs(IOException e) throws E {
    throw (E) e;
  }
}
