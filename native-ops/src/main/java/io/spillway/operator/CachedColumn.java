package io.spillway.operator;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.unsafe.Platform;

/**
 * One column of a cached batch, on the heap and in native memory: an image of that column alone, so
 * that a query reads the columns that it needs and no other. Used by one thread.
 */
final class CachedColumn {
  /** In front of the image: its bytes (4, little-endian) and whether it is compressed (1). */
  private static final int HEADER_BYTES = 5;

  private static final byte PLAIN = 0;
  private static final byte COMPRESSED = 1;

  private final CompressionCodec codec;
  private final byte[] buffer = new byte[OutgoingImage.BUFFER_BYTES];

  /**
   * @param codec the application's
   */
  CachedColumn(CompressionCodec codec) {
    this.codec = codec;
  }

  /**
   * A column as Spark's block manager keeps it.
   *
   * @param compress whether to try; what hardly becomes smaller is kept as it is
   */
  byte[] write(OutgoingImage image, boolean compress) {
    int bytes = image.bytes();
    if (compress) {
      byte[] compressed = compress(image);
      if (compressed.length - HEADER_BYTES < bytes - bytes / 8) {
        return compressed;
      }
    }
    byte[] plain = new byte[HEADER_BYTES + bytes];
    writeHeader(plain, bytes, PLAIN);
    Platform.copyMemory(
        null, image.address(), plain, Platform.BYTE_ARRAY_OFFSET + HEADER_BYTES, bytes);
    return plain;
  }

  private byte[] compress(OutgoingImage image) {
    byte[] header = new byte[HEADER_BYTES];
    writeHeader(header, image.bytes(), COMPRESSED);
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    kept.write(header, 0, HEADER_BYTES);
    try (OutputStream out = codec.compressedOutputStream(kept)) {
      image.writeTo(out, buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kept.toByteArray();
  }

  private static void writeHeader(byte[] target, int bytes, byte form) {
    ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes).put(form);
  }

  /** Bytes of the image in native memory. */
  static int imageBytes(byte[] column) {
    return ByteBuffer.wrap(column).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  /**
   * Reads the image to native memory.
   *
   * @param target address of {@link #imageBytes} bytes
   */
  void readTo(byte[] column, long target) {
    int bytes = imageBytes(column);
    if (column[HEADER_BYTES - 1] == PLAIN) {
      Platform.copyMemory(column, Platform.BYTE_ARRAY_OFFSET + HEADER_BYTES, null, target, bytes);
      return;
    }
    ByteArrayInputStream kept =
        new ByteArrayInputStream(column, HEADER_BYTES, column.length - HEADER_BYTES);
    try (InputStream in = codec.compressedInputStream(kept)) {
      int at = 0;
      while (at < bytes) {
        int part = Math.min(buffer.length, bytes - at);
        if (in.readNBytes(buffer, 0, part) < part) {
          throw new EOFException(
              "a cached column of " + bytes + " bytes ends early, after about " + at);
        }
        Platform.copyMemory(buffer, Platform.BYTE_ARRAY_OFFSET, null, target + at, part);
        at += part;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
