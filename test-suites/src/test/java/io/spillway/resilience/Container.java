package io.spillway.resilience;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A memory control group of the kernel, whatever its version: what a container is. */
record Container(Path directory) implements AutoCloseable {
  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
  private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");

  /**
   * Makes one.
   *
   * @param limitBytes beyond which the kernel kills what is in it
   * @return empty if this user may not make any here
   */
  static Optional<Container> make(long limitBytes) {
    boolean first = Files.exists(VERSION_1.resolve("memory.limit_in_bytes"));
    Path directory =
        (first ? VERSION_1 : VERSION_2)
            .resolve("spillway-processes-" + ProcessHandle.current().pid());
    try {
      Files.createDirectory(directory);
    } catch (IOException e) {
      return Optional.empty();
    }
    Container made = new Container(directory);
    try {
      Files.writeString(
          directory.resolve(first ? "memory.limit_in_bytes" : "memory.max"),
          Long.toString(limitBytes));
      Files.writeString(directory.resolve(first ? "memory.swappiness" : "memory.swap.max"), "0");
      return Optional.of(made);
    } catch (IOException e) {
      made.close();
      return Optional.empty();
    }
  }

  /** A process that writes its id to this file, or has it written there, is in it from then on. */
  Path processes() {
    return directory.resolve("cgroup.procs");
  }

  /** Goes as soon as the last process in it is gone. */
  @Override
  public void close() {
    await("control group removed")
        .atMost(Duration.ofSeconds(30))
        .until(() -> directory.toFile().delete() || Files.notExists(directory));
  }
}
