package io.spillway.testing.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The faults of a test that failed, kept in a file, so that the next run begins with them. A fault
 * is in it while it runs, too: one that takes the JVM down is not forgotten.
 */
final class RememberedFailures {
  private final Path file;
  private final Set<String> names = new LinkedHashSet<>();

  /**
   * @param test class and method
   */
  RememberedFailures(Path folder, String test) {
    this.file = folder.resolve("failed").resolve(test + ".txt");
    try {
      if (Files.isRegularFile(file)) {
        names.addAll(Files.readAllLines(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what failed last time cannot be read from " + file, e);
    }
  }

  /** Those of before, oldest first. */
  List<String> names() {
    return List.copyOf(names);
  }

  void started(String name) {
    if (names.add(name)) {
      write();
    }
  }

  void passed(String name) {
    if (names.remove(name)) {
      write();
    }
  }

  private void write() {
    try {
      if (names.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        Files.createDirectories(file.getParent());
        Files.write(file, names);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what fails cannot be written to " + file, e);
    }
  }
}
