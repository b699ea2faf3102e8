package io.spillway.operator;

import java.util.List;
import org.apache.spark.TaskKilledException;

/** Tells what the code of native operators throws from what passes through it. Stateless. */
final class NativeFailure {
  private static final List<String> OURS =
      List.of(
          "io.spillway.operator.",
          "io.spillway.kernel.",
          "io.spillway.expression.",
          "io.spillway.memory.",
          "io.spillway.chaos.");

  /** Where Spillway's code calls what then throws for it: a check of an index, for one. */
  private static final List<String> BELOW_OURS =
      List.of("java.", "jdk.", "sun.", "org.apache.arrow.");

  private static final int MOST_CAUSES = 20;

  private NativeFailure() {}

  /**
   * Whether the innermost cause was thrown by Spillway's code. A kill was not a failure, and what a
   * disk or a network did ({@link java.io.IOException}) would have met Spark's own operators too.
   */
  static boolean is(Throwable thrown) {
    Throwable root = thrown;
    for (int n = 0; root.getCause() != null && n < MOST_CAUSES; n++) {
      root = root.getCause();
    }
    boolean unchecked = root instanceof RuntimeException || root instanceof Error;
    return unchecked && !(root instanceof TaskKilledException) && isOurs(root.getStackTrace());
  }

  private static boolean isOurs(StackTraceElement[] frames) {
    for (StackTraceElement frame : frames) {
      String name = frame.getClassName();
      if (BELOW_OURS.stream().noneMatch(name::startsWith)) {
        return OURS.stream().anyMatch(name::startsWith);
      }
    }
    return false;
  }
}
