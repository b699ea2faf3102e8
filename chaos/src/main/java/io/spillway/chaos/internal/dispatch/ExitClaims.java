package io.spillway.chaos.internal.dispatch;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How many executors of an application a rule may end: each leaves a file in the report's
 * directory, because the executor that Spark starts in its place remembers nothing. Executors with
 * directories of their own count for themselves. Any thread, any process.
 */
final class ExitClaims {
  private final Path directory;

  ExitClaims(Path directory) {
    this.directory = directory;
  }

  /**
   * Takes one of the exits that a rule has left.
   *
   * @param most how many it has; {@link Long#MAX_VALUE}: no limit
   * @throws IOException if the directory does not take the file: then nothing is taken
   */
  boolean take(String application, int rule, long most) throws IOException {
    if (most == Long.MAX_VALUE) {
      return true;
    }
    for (long number = 1; number <= most; number++) {
      try {
        Files.createFile(
            directory.resolve("exit-%s-rule%d-%d".formatted(application, rule, number)));
        return true;
      } catch (FileAlreadyExistsException e) {
        // Another executor's: the next one may be free.
      }
    }
    return false;
  }
}
