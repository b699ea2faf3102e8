package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
final class SpillPart implements AutoCloseable {
  private final File file;
  private final FileChannel channel;

  SpillPart(File file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      Files.deleteIfExists(file.toPath());
    }
  }
}
