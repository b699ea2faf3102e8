package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;
import org.apache.spark.unsafe.Platform;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the frames of one segment in order. Needs no native memory of its own. One thread at a
 * time.
 *
 * <p>A frame that is damaged, missing or cut short is found by its checksums and never taken for
 * data: a {@link SpillException} names file, segment and frame.
 */
public final class SegmentReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentReader.class);
  private static final int CHUNK_BYTES = 32 * 1024;

  private final SpillSegment segment;
  private final File file;
  private final InputStream stream;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final byte[] header = new byte[Frame.HEADER_BYTES];
  private final byte[] trailer = new byte[Frame.TRAILER_BYTES];
  private final CRC32C crc = new CRC32C();
  private int framesRead;
  private Frame next;

  /**
   * Starts codec and cipher, which may read.
   *
   * @throws SpillException if there is damage, or the disk fails
   * @throws ClosedChannelException if the task is being killed, or the file was closed meanwhile
   */
  SegmentReader(SpillSegment segment, File file, Callable<InputStream> wrapped)
      throws ClosedChannelException {
    this.segment = segment;
    this.file = file;
    try {
      this.stream = wrapped.call();
    } catch (ClosedChannelException e) {
      throw e;
    } catch (Exception | Error e) {
      // Spark's codecs and ciphers read their first bytes here, and are written in Scala: any
      // exception may come, a checked one too, and from damaged lengths even an error.
      IOException cause = e instanceof IOException io ? io : null;
      throw damaged("its codec or cipher cannot start: " + e, cause);
    }
  }

  /**
   * Looks at the next frame.
   *
   * @return the capacity in bytes of the page that it is an image of, or -1 behind the last frame
   * @throws SpillException if there is damage, or the disk fails
   * @throws IOException if the task is being killed, or the file was closed meanwhile
   */
  public int nextCapacity() throws IOException {
    if (next == null) {
      if (framesRead == segment.frames()) {
        return -1;
      }
      readFully(header, Frame.HEADER_BYTES);
      Frame parsed = Frame.parse(header);
      if (parsed == null || parsed.number() != framesRead) {
        throw damaged("its header is not what was written", null);
      }
      next = parsed;
    }
    return next.capacity();
  }

  /**
   * Reads the next frame into a page. The bytes between front and back are left as they are. If
   * this throws, the page's content is undefined.
   *
   * @param address of at least {@link #nextCapacity} bytes
   * @throws SpillException if there is damage, or the disk fails
   * @throws IOException if the task is being killed, or the file was closed meanwhile
   * @throws IllegalStateException behind the last frame
   */
  public void readInto(long address) throws IOException {
    if (nextCapacity() < 0) {
      throw new IllegalStateException("behind the last frame of " + segment);
    }
    Frame frame = next;
    crc.reset();
    crc.update(header);
    read(address, frame.frontBytes());
    read(address + frame.backFrom(), frame.capacity() - frame.backFrom());
    readFully(trailer, Frame.TRAILER_BYTES);
    if (!Frame.isTrailer(trailer, crc)) {
      throw damaged("its CRC32C is not what was written", null);
    }
    next = null;
    framesRead++;
  }

  /** Releases codec and cipher; the file stays. Idempotent. */
  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      // Everything that was wanted has been read and verified.
      LOG.debug("The reader of {} in {} did not close cleanly", segment, file, e);
    }
  }

  private void read(long to, int bytes) throws IOException {
    for (int at = 0; at < bytes; at += CHUNK_BYTES) {
      int length = Math.min(CHUNK_BYTES, bytes - at);
      readFully(chunk, length);
      crc.update(chunk, 0, length);
      Platform.copyMemory(chunk, Platform.BYTE_ARRAY_OFFSET, null, to + at, length);
    }
  }

  private void readFully(byte[] target, int bytes) throws IOException {
    int got = 0;
    try {
      while (got < bytes) {
        int read = stream.read(target, got, bytes - got);
        if (read < 0) {
          throw damaged("it is cut short", null);
        }
        got += read;
      }
    } catch (ClosedChannelException | SpillException e) {
      throw e;
    } catch (IOException e) {
      throw damaged("it cannot be read: " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      // Damaged lengths make codecs throw errors of their own, or ask for more memory than there
      // is: the file is at fault, and not the executor.
      throw damaged("it cannot be decoded: " + e, null);
    }
  }

  private SpillException damaged(String what, IOException cause) {
    String message =
        "Spill file "
            + file
            + ", segment at "
            + segment.offset()
            + " of "
            + segment.length()
            + " bytes, frame "
            + framesRead
            + " of "
            + segment.frames()
            + ": "
            + what
            + ". Nothing of it is used; the task fails and may be tried again.";
    return cause == null ? new SpillException(message) : new SpillException(message, cause);
  }
}
