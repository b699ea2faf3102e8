package io.spillway.chaos;

import java.util.Optional;

/**
 * The JVMs that a rule is for; what is empty matches everything. Each is a pattern in which {@code
 * *} stands for any text and {@code ?} for one character. Which tasks run in which executor is the
 * scheduler's choice, so what fires under a host or an executor is not the same in every run.
 *
 * @param application pattern for the application's name or for its id
 * @param host pattern for the host as Spark calls it
 * @param executor pattern for the executor's id; {@code driver} on the driver and in local mode
 */
public record Place(
    Optional<String> application, Optional<String> host, Optional<String> executor) {

  /** Every JVM. */
  public static final Place ANYWHERE =
      new Place(Optional.empty(), Optional.empty(), Optional.empty());
}
