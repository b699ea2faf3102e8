package io.spillway.chaos.internal.dispatch;

import java.io.PrintStream;

/**
 * What the agent has to say, on standard error: it runs before any logging is set up, and a job's
 * logging settings must not be able to hide it.
 */
public final class Console {
  private Console() {}

  /** Prints one line. */
  @SuppressWarnings("SystemOut")
  public static void say(String line) {
    PrintStream err = System.err;
    err.println("spillway-chaos: " + line);
    err.flush();
  }
}
