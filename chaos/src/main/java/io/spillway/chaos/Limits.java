package io.spillway.chaos;

/**
 * The blast radius of one rule.
 *
 * @param perTask faults in one task attempt at most
 * @param total faults in one JVM at most; {@link Long#MAX_VALUE}: no such limit. Which calls meet
 *     this limit depends on the order of the tasks: it is a fuse, not part of the decision.
 */
public record Limits(long perTask, long total) {

  /** One fault per task attempt and no other limit. */
  public static final Limits DEFAULT = new Limits(1, Long.MAX_VALUE);

  /** No limit at all: what a rule with keys has, because it names each of its faults. */
  public static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Refuses with {@link IllegalArgumentException} a limit below 1. */
  public Limits {
    if (perTask < 1 || total < 1) {
      throw new IllegalArgumentException(
          "limits must be at least 1, not perTask=" + perTask + ", total=" + total);
    }
  }
}
