package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import org.apache.spark.storage.BlockId;

/** One file of a {@link SpillFile}: usually the only one, more after a disk was full. */
final class SpillPart implements AutoCloseable {
  private final BlockId block;
  private final File file;
  private final File localDirectory;
  private final FileChannel channel;
  private long length;

  SpillPart(BlockId block, File file, File localDirectory, FileChannel channel) {
    this.block = block;
    this.file = file;
    this.localDirectory = localDirectory;
    this.channel = channel;
  }

  BlockId block() {
    return block;
  }

  File file() {
    return file;
  }

  File localDirectory() {
    return localDirectory;
  }

  FileChannel channel() {
    return channel;
  }

  /** End of the last finished segment. */
  long length() {
    return length;
  }

  void length(long newLength) {
    length = newLength;
  }

  /** Closes the descriptor and deletes the file, both whatever the other does. Idempotent. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      Files.deleteIfExists(file.toPath());
    }
  }
}
