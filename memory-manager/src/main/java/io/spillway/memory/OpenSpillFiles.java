package io.spillway.memory;

import io.spillway.memory.spill.SpillSource;
import java.util.ArrayList;
import java.util.List;

/** The spill files of one operator that are open, and its views of shared ones. Thread-safe. */
final class OpenSpillFiles {
  private final List<SpillSource> files = new ArrayList<>();
  private boolean ended;

  /** False after the end: the caller closes the file itself. */
  synchronized boolean add(SpillSource file) {
    if (ended) {
      return false;
    }
    files.removeIf(SpillSource::isClosed);
    files.add(file);
    return true;
  }

  /** Gives an open file up, to whoever closes it from now on; false if it is not there. */
  synchronized boolean remove(SpillSource file) {
    return !file.isClosed() && files.remove(file);
  }

  /** The end: no file is added any more. Those that are open go to the caller, to be closed. */
  synchronized List<SpillSource> end() {
    ended = true;
    List<SpillSource> open = new ArrayList<>(files);
    files.clear();
    return open;
  }
}
