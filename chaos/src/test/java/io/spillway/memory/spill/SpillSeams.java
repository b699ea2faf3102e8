package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** Lets tests of another package through the stand-ins that are not public. */
public final class SpillSeams {
  private SpillSeams() {}

  /** Creates a file and leaves it closed. */
  public static void open(File file) throws IOException {
    new SpillStore().open(file).close();
  }

  /** Reads one byte. */
  public static int read() throws IOException {
    try (SpillInput in = new SpillInput()) {
      return in.read();
    }
  }

  /** Creates a file, closes and deletes it. */
  public static void delete(File file, FileChannel channel) throws IOException {
    new SpillPart(file, channel).close();
  }
}
