package io.spillway.memory.spill;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of one segment on their way to disk, below codec and cipher. When a disk refuses, what
 * the segment has so far moves to the next local directory, and the writer above notices nothing.
 */
final class SpillOutput extends OutputStream {
  private static final Logger LOG = LoggerFactory.getLogger(SpillOutput.class);
  private static final int COPY_BYTES = 64 * 1024;

  private final SpillFile file;
  private SpillPart part;
  private long start;
  private long position;
  private boolean abandoned;

  SpillOutput(SpillFile file, SpillPart part) {
    this.file = file;
    this.part = part;
    this.start = part.length();
    this.position = start;
  }

  SpillPart part() {
    return part;
  }

  long start() {
    return start;
  }

  long position() {
    return position;
  }

  /** From now on nothing is written any more: what codec and cipher flush at their end is void. */
  void abandon() {
    abandoned = true;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
    while (left.hasRemaining() && !abandoned) {
      try {
        position += part.channel().write(left, position);
      } catch (ClosedChannelException e) {
        // By an interrupt, because the task is being killed, or by its scope: the disk is innocent.
        throw e;
      } catch (IOException e) {
        moveOn(e);
      }
    }
  }

  /** Bounded by the number of local directories: each failure rules one out. */
  private void moveOn(IOException failure) throws IOException {
    SpillPart next = file.nextPart(part, failure);
    IOException refused = copyTo(next, failure);
    while (refused != null) {
      // Full on the way: what was written so far is still where it was.
      next = file.nextPart(next, refused);
      refused = copyTo(next, refused);
    }
    cutOff();
    position -= start;
    start = 0;
    part = next;
  }

  /** Drops the segment from the disk that it has left, to give the room back. */
  private void cutOff() throws IOException {
    try {
      part.channel().truncate(start);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      // A dead disk: what is needed is on the next one, and nobody reads it here.
      LOG.warn("Spill file {} could not be cut to {} bytes: {}", part.file(), start, e.toString());
    }
  }

  /** Copies the segment so far; what the next disk refused it with, or null if it is all there. */
  private IOException copyTo(SpillPart next, IOException failure) throws IOException {
    long copied = 0;
    ByteBuffer buffer =
        ByteBuffer.allocate((int) Math.min(COPY_BYTES, Math.max(1, position - start)));
    while (start + copied < position) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), position - start - copied));
      int read = part.channel().read(buffer, start + copied);
      if (read < 0) {
        throw new IOException(
            "spill file " + part.file() + " is shorter than what was written", failure);
      }
      buffer.flip();
      try {
        while (buffer.hasRemaining()) {
          copied += next.channel().write(buffer, copied);
        }
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        return e;
      }
    }
    return null;
  }
}
