package io.spillway.operator;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.reflect.ClassTag;

/**
 * What Spark's shuffle writes and reads images with. A stream is images one after another and
 * nothing else, so streams can be cut and joined between any two of them; compression, encryption
 * and checksums are Spark's. Partition numbers are not written.
 */
final class ImageSerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1L;

  private final SQLMetric dataSize;

  /**
   * @param dataSize gets the bytes written
   */
  ImageSerializer(SQLMetric dataSize) {
    this.dataSize = dataSize;
  }

  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return true;
  }

  @Override
  public SerializerInstance newInstance() {
    return new Instance(dataSize);
  }

  /** Of one task; its streams are used one at a time and share one buffer on the heap. */
  private static final class Instance extends SerializerInstance {
    private final SQLMetric dataSize;
    private final byte[] buffer = new byte[OutgoingImage.BUFFER_BYTES];

    Instance(SQLMetric dataSize) {
      this.dataSize = dataSize;
    }

    @Override
    public SerializationStream serializeStream(OutputStream out) {
      return new ImageOutput(out, buffer, dataSize);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream in) {
      return new ImageInput(in, buffer);
    }

    @Override
    public <T> ByteBuffer serialize(T value, ClassTag<T> tag) {
      throw onlyStreams();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      throw onlyStreams();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      throw onlyStreams();
    }

    private static UnsupportedOperationException onlyStreams() {
      return new UnsupportedOperationException("images are written to and read from streams only");
    }
  }
}
