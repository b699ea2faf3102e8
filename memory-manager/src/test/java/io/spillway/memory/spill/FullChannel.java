package io.spillway.memory.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A real file on a disk that takes so many bytes and no more, as the operating system reports it.
 */
class FullChannel extends FileChannel {
  private final FileChannel real;
  private final boolean closeFails;
  private long left;

  FullChannel(FileChannel real, long takesBytes) {
    this(real, takesBytes, false);
  }

  FullChannel(FileChannel real, long takesBytes, boolean closeFails) {
    this.real = real;
    this.left = takesBytes;
    this.closeFails = closeFails;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    if (left == 0) {
      throw new IOException("No space left on device");
    }
    ByteBuffer fitting = source.duplicate();
    fitting.limit((int) Math.min(source.limit(), source.position() + left));
    int written = real.write(fitting, position);
    source.position(source.position() + written);
    left -= written;
    return written;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return real.read(target, position);
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    real.truncate(size);
    return this;
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
    if (closeFails) {
      throw new IOException("close, says the test");
    }
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public FileChannel position(long newPosition) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public void force(boolean metaData) throws IOException {
    real.force(metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException("positional access only");
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException("positional access only");
  }
}
