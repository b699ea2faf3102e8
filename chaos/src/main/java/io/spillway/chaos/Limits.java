package io.spillway.chaos;

/**
 * The blast radius of one rule. All but {@code perTask} are fuses and not part of the decision:
 * which calls meet them depends on the order of the tasks, or on the clock.
 *
 * @param perTask faults in one task attempt at most
 * @param total faults in one JVM, so in one executor, at most; {@link Long#MAX_VALUE}: no limit
 * @param perMinute faults in one JVM in each minute from arming on at most; {@link Long#MAX_VALUE}:
 *     no limit
 * @param window when it may fire at all
 */
public record Limits(long perTask, long total, long perMinute, TimeWindow window) {

  /** One fault per task attempt and no other limit. */
  public static final Limits DEFAULT = new Limits(1, Long.MAX_VALUE);

  /** No limit at all: what a rule with keys has, because it names each of its faults. */
  public static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Refuses with {@link IllegalArgumentException} a limit below 1. */
  public Limits {
    if (perTask < 1 || total < 1 || perMinute < 1) {
      throw new IllegalArgumentException(
          "limits must be at least 1, not perTask=%d, total=%d, perMinute=%d"
              .formatted(perTask, total, perMinute));
    }
  }

  /** Limits by count alone. */
  public Limits(long perTask, long total) {
    this(perTask, total, Long.MAX_VALUE, TimeWindow.ALWAYS);
  }
}
