package io.spillway.memory.spill;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The header of a frame: an image of a page of {@code capacity} bytes of which {@code [0,
 * frontBytes)} and {@code [backFrom, capacity)} are stored. Behind them stands the CRC32C of header
 * and stored bytes: there they need to be read only once.
 *
 * @param number of the frame in its segment, from 0
 * @param frontBytes stored from the start
 * @param backFrom offset from which on the rest is stored
 * @param capacity of the page
 */
record Frame(int number, int frontBytes, int backFrom, int capacity) {
  private static final int MAGIC = 0x53505746;

  /** Bytes of a header: magic, the four figures, and the CRC32C of all that. */
  static final int HEADER_BYTES = 6 * Integer.BYTES;

  /** Bytes of the CRC32C behind the data. */
  static final int TRAILER_BYTES = Integer.BYTES;

  /** What a frame adds to its data. */
  static final int EXTRA_BYTES = HEADER_BYTES + TRAILER_BYTES;

  /** Bytes of data behind the header. */
  long dataBytes() {
    return (long) frontBytes + capacity - backFrom;
  }

  void put(byte[] target) {
    ByteBuffer buffer = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(MAGIC).putInt(number).putInt(frontBytes).putInt(backFrom).putInt(capacity);
    buffer.putInt(headerCrc(target));
  }

  /** The header in {@code source}, or null if it is not one that was written. */
  static Frame parse(byte[] source) {
    ByteBuffer buffer = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN);
    int magic = buffer.getInt();
    Frame frame = new Frame(buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getInt());
    boolean whole = magic == MAGIC && buffer.getInt() == headerCrc(source);
    return whole && inRange(frame.frontBytes, frame.backFrom, frame.capacity) ? frame : null;
  }

  static boolean inRange(int frontBytes, int backFrom, int capacity) {
    return frontBytes >= 0 && frontBytes <= backFrom && backFrom <= capacity && capacity > 0;
  }

  /** Writes the trailer. */
  static void putTrailer(byte[] target, CRC32C crc) {
    ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN).putInt((int) crc.getValue());
  }

  /** Whether a trailer is the one that was written. */
  static boolean isTrailer(byte[] source, CRC32C crc) {
    return ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN).getInt() == (int) crc.getValue();
  }

  private static int headerCrc(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, HEADER_BYTES - Integer.BYTES);
    return (int) crc.getValue();
  }
}
