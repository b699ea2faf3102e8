package io.spillway.memory.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The files in which a version of the kernel's control groups keeps a group's memory figures. */
enum GroupFiles {
  /** Its figures with {@code total_} count the groups below too, as its usage does. */
  V1("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"),
  /** All its figures count the groups below. */
  V2("memory.max", "memory.current", "inactive_file", "active_file");

  private static final String STATISTICS = "memory.stat";

  /** Version 1 writes "no limit" as the largest multiple of the page size. */
  private static final long LARGEST_LIMIT_BYTES = 1L << 60;

  private final String limit;
  private final String usage;
  private final String inactiveFile;
  private final String activeFile;

  GroupFiles(String limit, String usage, String inactiveFile, String activeFile) {
    this.limit = limit;
    this.usage = usage;
    this.inactiveFile = inactiveFile;
    this.activeFile = activeFile;
  }

  /** The limit of a group; empty if it has none, as version 2's root, which has no such file. */
  OptionalLong limitBytes(Path group) throws IOException {
    Path file = group.resolve(limit);
    if (Files.notExists(file)) {
      return OptionalLong.empty();
    }
    String text = Files.readString(file).trim();
    if (text.equals("max")) {
      return OptionalLong.empty();
    }
    long bytes = number(file, text);
    return bytes < LARGEST_LIMIT_BYTES ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  /**
   * What a group holds, less the file cache, which the kernel drops before it kills. Both of its
   * lists: a file that is read twice is on the active one, and dropped all the same.
   */
  long usedBytes(Path group) throws IOException {
    Path file = group.resolve(usage);
    long usedBytes = number(file, Files.readString(file).trim());
    Path statistics = group.resolve(STATISTICS);
    long cacheBytes = 0;
    int found = 0;
    for (String line : Files.readAllLines(statistics)) {
      int space = line.indexOf(' ');
      String name = space < 0 ? line : line.substring(0, space);
      if (name.equals(inactiveFile) || name.equals(activeFile)) {
        cacheBytes += number(statistics, line.substring(space + 1).trim());
        found++;
      }
    }
    if (found != 2) {
      throw new IOException(statistics + " has no " + inactiveFile + " and " + activeFile);
    }
    return Math.max(0, usedBytes - cacheBytes);
  }

  /** Whether what the groups below it hold counts in a group: in version 1 that can be off. */
  boolean countsGroupsBelow(Path group) throws IOException {
    Path file = group.resolve("memory.use_hierarchy");
    return this == V2 || Files.notExists(file) || !Files.readString(file).trim().equals("0");
  }

  private static long number(Path file, String text) throws IOException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds '" + text + "' where a number of bytes should be", e);
    }
  }
}
