package io.spillway.plan;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether the plugin runs in this application. Some of ours is asked without it too, such as a
 * cache serializer that the user has named, or one that a JVM keeps from an application before. No
 * setting tells: a session has its builder's values in the place of those that the plugin has
 * added. Thread-safe.
 */
public final class Installation {
  private static final AtomicBoolean RUNNING = new AtomicBoolean();

  private Installation() {}

  /**
   * Called by the driver plugin.
   *
   * @param running true once it is sure that all can run; false at its end
   */
  public static void set(boolean running) {
    RUNNING.set(running);
  }

  static boolean isRunning() {
    return RUNNING.get();
  }
}
