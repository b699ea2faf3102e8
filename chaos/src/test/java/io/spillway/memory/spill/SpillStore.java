package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public class SpillStore {
  FileChannel open(File file) throws IOException {
    return FileChannel.open(file.toPath(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }
}
