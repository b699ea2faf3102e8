package io.spillway.operator;

import java.io.Serializable;

/**
 * Some of a broadcast's rows: images one after another, compressed with Spark's codec. Immutable;
 * callers must not change the array that they get.
 */
final class BroadcastChunk implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] compressed;
  private final long rows;
  private final long bytes;

  /**
   * @param compressed becomes this chunk's
   * @param rows in the images
   * @param bytes of the images before compression
   */
  BroadcastChunk(byte[] compressed, long rows, long bytes) {
    this.compressed = compressed;
    this.rows = rows;
    this.bytes = bytes;
  }

  byte[] compressed() {
    return compressed;
  }

  long rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }
}
