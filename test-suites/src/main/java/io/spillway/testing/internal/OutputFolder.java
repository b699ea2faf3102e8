package io.spillway.testing.internal;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the tests write: below the build tool's own folder. */
final class OutputFolder {
  /** Names another folder. */
  static final String PROPERTY = "spillway.testing.out";

  private static final String NAME = "spillway-testing";

  private OutputFolder() {}

  static Path path() {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Path.of(named);
    }
    boolean gradle = !Files.isDirectory(Path.of("target")) && Files.isDirectory(Path.of("build"));
    return Path.of(gradle ? "build" : "target", NAME);
  }

  /** The agent's files of this JVM. */
  static Path faults() {
    return path().resolve("faults").resolve(Long.toString(ProcessHandle.current().pid()));
  }
}
