package io.spillway.memory.guard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The memory of the container that a process is in. Groups nest, and each one's limit holds for all
 * below it: the one that is nearest to its limit counts. Limits are read anew each time, because
 * they may be changed while the process runs.
 */
final class ContainerMemory implements MemoryReader {
  private static final long UNKNOWN = -1;

  private final GroupLocator.Located located;
  private final ResidentMemory resident;

  private ContainerMemory(GroupLocator.Located located, ResidentMemory resident) {
    this.located = located;
    this.resident = resident;
  }

  /**
   * Finds the container of a process.
   *
   * @param process its directory in {@code /proc}
   * @return its memory; a look at it has just succeeded
   * @throws NoContainerException if it has none, no limit, or files that cannot be read
   */
  static ContainerMemory find(Path process) throws NoContainerException {
    try {
      ContainerMemory found =
          new ContainerMemory(GroupLocator.locate(process), new ResidentMemory(process));
      if (found.read().limitBytes() == Reading.NO_LIMIT) {
        throw new NoContainerException(
            "neither "
                + found.located.groups().get(0)
                + " nor a group above it has a memory limit");
      }
      return found;
    } catch (IOException e) {
      throw new NoContainerException("the memory control group cannot be read: " + e);
    }
  }

  @Override
  public Reading read() throws IOException {
    long residentBytes = residentBytes();
    Reading nearest =
        new Reading(
            located.groups().get(0).toString(), residentBytes, Reading.NO_LIMIT, residentBytes);
    IOException unreadable = null;
    for (Path group : located.groups()) {
      try {
        OptionalLong limit = located.files().limitBytes(group);
        if (limit.isPresent()) {
          Reading reading =
              new Reading(
                  group.toString(),
                  usedBytes(group, residentBytes),
                  limit.getAsLong(),
                  residentBytes);
          nearest = reading.fraction() > nearest.fraction() ? reading : nearest;
        }
      } catch (IOException e) {
        unreadable = e;
      }
    }
    if (nearest.limitBytes() == Reading.NO_LIMIT && unreadable != null) {
      throw unreadable;
    }
    return nearest;
  }

  private long usedBytes(Path group, long residentBytes) throws IOException {
    try {
      return located.files().usedBytes(group);
    } catch (IOException e) {
      if (residentBytes == UNKNOWN) {
        throw e;
      }
      // The limit is known and what the group holds is not: this process is part of it.
      return residentBytes;
    }
  }

  private long residentBytes() {
    try {
      return resident.bytes();
    } catch (IOException e) {
      // Only the log misses it, as long as the group's own figures can be read.
      return UNKNOWN;
    }
  }
}
