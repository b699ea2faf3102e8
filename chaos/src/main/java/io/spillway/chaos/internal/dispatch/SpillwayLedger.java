package io.spillway.chaos.internal.dispatch;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/**
 * Reads the ledger of a Spillway that is in the job, by name: the agent depends on none. Asked
 * about each second by the report's own thread.
 *
 * @param usedBytes in live native blocks
 * @param leakedBytes found live after attempts that had succeeded
 * @param reclaimedBytes freed by the scopes of failed attempts
 * @param owners of live and leaked blocks
 */
public record SpillwayLedger(
    long usedBytes, long leakedBytes, long reclaimedBytes, List<String> owners) {
  private static final String EXECUTOR_MEMORY = "io.spillway.memory.ExecutorMemory";

  /** Copies the list. */
  public SpillwayLedger {
    owners = List.copyOf(owners);
  }

  /**
   * The ledger now.
   *
   * @param loader of the tasks
   * @return empty where there is no Spillway, or one that answers otherwise
   */
  public static Optional<SpillwayLedger> of(ClassLoader loader) {
    try {
      Class<?> type = Class.forName(EXECUTOR_MEMORY, false, loader);
      Optional<?> installed = (Optional<?>) type.getMethod("installed").invoke(null);
      if (installed.isEmpty()) {
        return Optional.empty();
      }
      Object snapshot = type.getMethod("snapshot").invoke(installed.get());
      return Optional.of(
          new SpillwayLedger(
              (long) ask(snapshot, "usedBytes"),
              (long) ask(snapshot, "leakedBytes"),
              (long) ask(snapshot, "reclaimedBytes"),
              ((List<?>) ask(snapshot, "owners")).stream().map(String::valueOf).toList()));
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      return Optional.empty();
    }
  }

  private static Object ask(Object snapshot, String name) throws ReflectiveOperationException {
    Method method = snapshot.getClass().getMethod(name);
    return method.invoke(snapshot);
  }
}
