package io.spillway.testing.internal;

/**
 * Says which run was on when the JVM ended: a job that exits, or for which Spark ends the JVM,
 * takes every report with it. A JVM that is killed says nothing.
 */
final class JvmEndNotice {
  private static volatile String running;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(JvmEndNotice::say, "spillway-testing-end"));
  }

  private JvmEndNotice() {}

  /** From now on this runs. */
  static void running(String what) {
    running = what;
  }

  /** Nothing runs any more that could end the JVM. */
  static void nothing() {
    running = null;
  }

  @SuppressWarnings("SystemOut")
  private static void say() {
    String what = running;
    if (what != null) {
      System.err.println("[spillway-testing] the JVM ends while this runs: " + what);
    }
  }
}
