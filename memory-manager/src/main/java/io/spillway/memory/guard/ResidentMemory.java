package io.spillway.memory.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory that this process holds, as the kernel counts it. */
final class ResidentMemory {
  private static final String FIELD = "VmRSS:";

  private final Path status;

  /**
   * Of one process.
   *
   * @param process its directory in {@code /proc}
   */
  ResidentMemory(Path process) {
    status = process.resolve("status");
  }

  /**
   * Resident memory in bytes, mapped files included.
   *
   * @throws IOException if it cannot be read
   */
  long bytes() throws IOException {
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(FIELD)) {
        String[] words = line.substring(FIELD.length()).trim().split(" ", -1);
        try {
          return Math.multiplyExact(Long.parseLong(words[0]), 1024);
        } catch (NumberFormatException e) {
          throw new IOException(status + " holds '" + line + "' where kilobytes should be", e);
        }
      }
    }
    throw new IOException(status + " has no " + FIELD);
  }
}
