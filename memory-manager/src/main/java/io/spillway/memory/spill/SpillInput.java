package io.spillway.memory.spill;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The stored bytes of one segment, and no more. Positional reads: others may read the same file.
 */
final class SpillInput extends InputStream {
  private final FileChannel channel;
  private final long end;
  private long position;

  SpillInput(FileChannel channel, long offset, long length) {
    this.channel = channel;
    this.position = offset;
    this.end = offset + length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int wanted = (int) Math.min(length, end - position);
    if (wanted <= 0) {
      return -1;
    }
    int read = channel.read(ByteBuffer.wrap(bytes, offset, wanted), position);
    position += Math.max(0, read);
    return read;
  }
}
