package io.spillway.memory;

import io.spillway.memory.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;

/** The spill files of one operator that are open. Thread-safe. */
final class OpenSpillFiles {
  private final List<SpillFile> files = new ArrayList<>();
  private boolean ended;

  /** False after the end: the caller closes the file itself. */
  synchronized boolean add(SpillFile file) {
    if (ended) {
      return false;
    }
    files.removeIf(SpillFile::isClosed);
    files.add(file);
    return true;
  }

  /** The end: no file is added any more. Those that are open go to the caller, to be closed. */
  synchronized List<SpillFile> end() {
    ended = true;
    List<SpillFile> open = new ArrayList<>(files);
    files.clear();
    return open;
  }
}
