package io.spillway.memory.spill;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import org.apache.spark.unsafe.Platform;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the frames of one segment. Needs no native memory. One thread at a time.
 *
 * <p>After a failure nothing more can be written; the caller closes it, and the segment does not
 * count.
 */
public final class SegmentWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentWriter.class);
  private static final int CHUNK_BYTES = 32 * 1024;

  private final SpillFile file;
  private final SpillOutput output;
  private final OutputStream stream;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final byte[] header = new byte[Frame.HEADER_BYTES];
  private final byte[] trailer = new byte[Frame.TRAILER_BYTES];
  private final CRC32C crc = new CRC32C();
  private int frames;
  private boolean done;

  /** A frame is there in part. */
  private boolean failed;

  SegmentWriter(SpillFile file, SpillOutput output, OutputStream stream) {
    this.file = file;
    this.output = output;
    this.stream = stream;
  }

  /**
   * Writes one page as one frame. When it returns, the page may be freed.
   *
   * @param address of the page
   * @param frontBytes to be written from its start
   * @param backFrom offset in bytes from which on the rest is written
   * @param capacity of the page in bytes
   * @throws IOException if no local directory takes it; it says so, and what to do
   */
  public void write(long address, int frontBytes, int backFrom, int capacity) throws IOException {
    if (!Frame.inRange(frontBytes, backFrom, capacity)) {
      throw new IllegalArgumentException(
          "no frame: front " + frontBytes + ", back from " + backFrom + ", capacity " + capacity);
    }
    requireUsable();
    failed = true;
    Frame frame = new Frame(frames, frontBytes, backFrom, capacity);
    frame.put(header);
    crc.reset();
    crc.update(header);
    stream.write(header);
    copy(address, frontBytes);
    copy(address + backFrom, capacity - backFrom);
    Frame.putTrailer(trailer, crc);
    stream.write(trailer);
    failed = false;
    frames++;
    file.frameWritten(frame.dataBytes());
  }

  /**
   * Ends the segment.
   *
   * @return where it lies, to be given to {@link SpillFile#read}
   * @throws IOException if what was buffered cannot be written
   */
  public SpillSegment finish() throws IOException {
    requireUsable();
    boolean stored = false;
    try {
      // Flushes codec and cipher; the file below stays open.
      stream.close();
      stored = true;
    } finally {
      done = true;
      file.finished(this, stored ? output : null);
    }
    return new SpillSegment(
        file.indexOf(output.part()), output.start(), output.position() - output.start(), frames);
  }

  /** Abandons the segment unless it is finished; what it wrote does not count. Idempotent. */
  @Override
  public void close() {
    if (!done) {
      done = true;
      file.finished(this, null);
      output.abandon();
      try {
        // Codec and cipher may hold resources of their own.
        stream.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("The abandoned segment of {} did not close cleanly", file.owner(), e);
      }
    }
  }

  private void requireUsable() {
    if (done || failed) {
      throw new IllegalStateException(
          "the segment of "
              + file.owner()
              + (done ? " is finished" : " has failed in the middle of a frame: close it"));
    }
  }

  private void copy(long from, int bytes) throws IOException {
    for (int at = 0; at < bytes; at += CHUNK_BYTES) {
      int length = Math.min(CHUNK_BYTES, bytes - at);
      Platform.copyMemory(null, from + at, chunk, Platform.BYTE_ARRAY_OFFSET, length);
      crc.update(chunk, 0, length);
      stream.write(chunk, 0, length);
    }
  }
}
