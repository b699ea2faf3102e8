package io.spillway.operator;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.Platform;

/**
 * An image in native memory on its way to Spark's shuffle writer: the one object of its map side,
 * pointed at one image after another. What it points at is the exchange's and is overwritten when
 * the next one is made.
 */
final class OutgoingImage {
  /** Of a buffer on the heap through which images go, in and out. */
  static final int BUFFER_BYTES = 32 * 1024;

  private final InternalRow row = new GenericInternalRow(new Object[] {this});
  private long address;
  private int bytes;

  /** The image that a row carries. */
  static OutgoingImage in(InternalRow row) {
    return (OutgoingImage) row.get(0, null);
  }

  /** Spark's shuffle of SQL plans moves rows: the one that carries this. */
  InternalRow row() {
    return row;
  }

  void pointTo(long newAddress, int newBytes) {
    address = newAddress;
    bytes = newBytes;
  }

  long address() {
    return address;
  }

  int bytes() {
    return bytes;
  }

  /**
   * Writes the image.
   *
   * @param buffer through which it goes
   */
  void writeTo(OutputStream out, byte[] buffer) throws IOException {
    for (int at = 0; at < bytes; at += buffer.length) {
      int part = Math.min(buffer.length, bytes - at);
      Platform.copyMemory(null, address + at, buffer, Platform.BYTE_ARRAY_OFFSET, part);
      out.write(buffer, 0, part);
    }
  }
}
