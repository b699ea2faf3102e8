package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** Images in Spark's shuffle streams: what was written is read, and what is cut off is noticed. */
class ImageStreamTest {
  private static final int MOST_BYTES = 100_000;

  private final SQLMetric dataSize = new SQLMetric("size", 0);
  private final SerializerInstance serializer = new ImageSerializer(dataSize).newInstance();
  private long memory;

  @BeforeEach
  void allocate() {
    memory = Platform.allocateMemory(MOST_BYTES);
  }

  @AfterEach
  void free() {
    Platform.freeMemory(memory);
  }

  /** Bytes that look like an image. */
  private static byte[] image(int bytes, int rows) {
    byte[] image = new byte[bytes];
    new Random(bytes).nextBytes(image);
    ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes).putInt(rows);
    return image;
  }

  private byte[] written(byte[]... images) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = serializer.serializeStream(bytes);
    OutgoingImage outgoing = new OutgoingImage();
    for (byte[] image : images) {
      Platform.copyMemory(image, Platform.BYTE_ARRAY_OFFSET, null, memory, image.length);
      outgoing.pointTo(memory, image.length);
      out.writeKey(7, ClassTag.Any());
      out.writeValue(outgoing.row(), ClassTag.Any());
    }
    out.close();
    return bytes.toByteArray();
  }

  private Iterator<Tuple2<Object, Object>> reader(byte[] stream) {
    return serializer.deserializeStream(new ByteArrayInputStream(stream)).asKeyValueIterator();
  }

  private byte[] read(ImageInput input) {
    input.readTo(memory);
    byte[] image = new byte[input.bytes()];
    Platform.copyMemory(null, memory, image, Platform.BYTE_ARRAY_OFFSET, image.length);
    return image;
  }

  private static ImageInput next(Iterator<Tuple2<Object, Object>> images) {
    return ImageInput.in((InternalRow) images.next()._2());
  }

  @Test
  void shouldReadWhatWasWrittenWhenStreamsAreJoined() {
    byte[] small = image(8, 3);
    byte[] large = image(MOST_BYTES, 1);
    byte[] one = written(small, large);
    byte[] other = written(image(32 * 1024, 9));
    byte[] joined = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, joined, one.length, other.length);

    Iterator<Tuple2<Object, Object>> images = reader(joined);

    assertThat(read(next(images))).isEqualTo(small);
    ImageInput second = next(images);
    assertThat(second.rows()).isEqualTo(1);
    assertThat(read(second)).isEqualTo(large);
    assertThat(read(next(images))).isEqualTo(image(32 * 1024, 9));
    assertThat(images.hasNext()).isFalse();
    assertThat(dataSize.value()).isEqualTo(8 + MOST_BYTES + 32 * 1024);
  }

  @ParameterizedTest(name = "{0} bytes are left")
  @ValueSource(ints = {9, 4000, 39_999})
  void shouldSayThatABlockEndsInsideABatchWhenItIsCutOff(int left) {
    Iterator<Tuple2<Object, Object>> images =
        reader(Arrays.copyOf(written(image(40_000, 5)), left));
    ImageInput input = next(images);

    assertThatThrownBy(() -> input.readTo(memory))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("ends inside a batch of 40000 bytes");
  }

  @Test
  void shouldSayThatABlockIsDamagedWhenAHeaderCannotBe() {
    assertThatThrownBy(() -> reader(new byte[] {16, 0, 0}).hasNext())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> reader(image(8, 0)).hasNext())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("a batch of 8 bytes and 0 rows");
    byte[] negative = image(8, 1);
    negative[3] = (byte) 0x80;
    assertThatThrownBy(() -> reader(negative).hasNext()).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void shouldRefuseWhenABatchIsSkippedOrReadTwice() {
    byte[] stream = written(image(80, 1), image(80, 2));
    Iterator<Tuple2<Object, Object>> skipping = reader(stream);
    next(skipping);
    assertThatThrownBy(skipping::hasNext).isInstanceOf(IllegalStateException.class);

    Iterator<Tuple2<Object, Object>> twice = reader(stream);
    ImageInput input = next(twice);
    input.readTo(memory);
    assertThatThrownBy(() -> input.readTo(memory)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldThrowWhatTheDiskThrowsAndCloseOnceWhenItIsFull() {
    AtomicInteger closes = new AtomicInteger();
    SerializationStream out =
        serializer.serializeStream(
            new OutputStream() {
              @Override
              public void write(int value) throws IOException {
                throw new IOException("No space left on device");
              }

              @Override
              public void flush() throws IOException {
                throw new IOException("No space left on device");
              }

              @Override
              public void close() throws IOException {
                closes.incrementAndGet();
                flush();
              }
            });
    byte[] image = image(100, 1);
    Platform.copyMemory(image, Platform.BYTE_ARRAY_OFFSET, null, memory, image.length);
    OutgoingImage outgoing = new OutgoingImage();
    outgoing.pointTo(memory, image.length);

    assertThatThrownBy(() -> out.writeValue(outgoing.row(), ClassTag.Any()))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    assertThatThrownBy(out::flush).isExactlyInstanceOf(IOException.class);
    assertThatThrownBy(out::close).isExactlyInstanceOf(IOException.class);
    out.close();

    assertThat(closes).hasValue(1);
  }
}
