package io.spillway.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. Stateless. */
public final class FileTrees {
  private FileTrees() {}

  /** Removes a folder, if it is there; links in it are removed and not followed. */
  public static void remove(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> found;
    try (Stream<Path> paths = Files.walk(directory)) {
      found = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : found) {
      Files.deleteIfExists(path);
    }
  }
}
