package io.spillway.operator;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Some of a broadcast's rows: the number of rows, the bytes of their images, and the images, one
 * after another, compressed with Spark's codec. An array and no class of its own, so that any
 * serializer takes it: Kryo can be told to refuse classes that it was not told of.
 */
final class BroadcastChunk {
  static final int HEAD_BYTES = 2 * Long.BYTES;

  private BroadcastChunk() {}

  /**
   * Completes a chunk.
   *
   * @param chunk whose first bytes are free
   * @param rows in the images
   * @param bytes of the images before compression
   */
  static void writeHead(byte[] chunk, long rows, long bytes) {
    ByteBuffer.wrap(chunk).putLong(rows).putLong(bytes);
  }

  static long rows(byte[] chunk) {
    return ByteBuffer.wrap(chunk).getLong();
  }

  /** Of the images before compression. */
  static long bytes(byte[] chunk) {
    return ByteBuffer.wrap(chunk).getLong(Long.BYTES);
  }

  static InputStream compressedImages(byte[] chunk) {
    return new ByteArrayInputStream(chunk, HEAD_BYTES, chunk.length - HEAD_BYTES);
  }
}
