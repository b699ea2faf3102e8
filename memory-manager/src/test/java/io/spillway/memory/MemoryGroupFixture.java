package io.spillway.memory;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A memory control group of the kernel, made for a test: what a container is. */
final class MemoryGroupFixture implements AutoCloseable {
  private static final Path V1 = Path.of("/sys/fs/cgroup/memory");
  private static final Path V2 = Path.of("/sys/fs/cgroup");

  private final Path directory;

  private MemoryGroupFixture(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes one.
   *
   * @param limitBytes beyond which the kernel kills what is in it, without swapping
   * @return the group, or empty if this user may not make any here
   */
  static Optional<MemoryGroupFixture> make(long limitBytes) {
    boolean version1 = Files.exists(V1.resolve("memory.limit_in_bytes"));
    Path directory = (version1 ? V1 : V2).resolve("spillway-test-" + ProcessHandle.current().pid());
    try {
      Files.createDirectory(directory);
    } catch (IOException e) {
      return Optional.empty();
    }
    MemoryGroupFixture made = new MemoryGroupFixture(directory);
    try {
      if (version1) {
        Files.writeString(directory.resolve("memory.limit_in_bytes"), Long.toString(limitBytes));
        Files.writeString(directory.resolve("memory.swappiness"), "0");
      } else {
        Files.writeString(directory.resolve("memory.max"), Long.toString(limitBytes));
        Files.writeString(directory.resolve("memory.swap.max"), "0");
      }
      return Optional.of(made);
    } catch (IOException e) {
      made.close();
      return Optional.empty();
    }
  }

  /** To this file a process writes its id to enter the group. */
  Path processes() {
    return directory.resolve("cgroup.procs");
  }

  /** Goes as soon as the last process in it is gone. */
  @Override
  public void close() {
    await("control group removed")
        .atMost(Duration.ofSeconds(10))
        .until(() -> directory.toFile().delete() || Files.notExists(directory));
  }
}
