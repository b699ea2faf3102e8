package io.spillway.plan;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether the plugin runs in this application, and what it lets run natively. Some of ours is asked
 * without it too, such as a cache serializer that the user has named, or one that a JVM keeps from
 * an application before. No setting tells: a session has its builder's values in the place of those
 * that the plugin has added. Thread-safe.
 */
public final class Installation {
  /** Lets everything pass: without the plugin nothing is counted. */
  private static final KindGate OPEN = (kind, query) -> Optional.empty();

  private static final AtomicReference<KindGate> GATE = new AtomicReference<>();

  private Installation() {}

  /**
   * Called by the driver plugin once it is sure that all can run.
   *
   * @param gate is asked from now on, in every session of the application
   */
  public static void start(KindGate gate) {
    GATE.set(gate);
  }

  /** Called by the driver plugin at its end, and before it is sure. */
  public static void stop() {
    GATE.set(null);
  }

  static boolean isRunning() {
    return GATE.get() != null;
  }

  /** Whom planning asks. */
  public static KindGate gate() {
    KindGate gate = GATE.get();
    return gate == null ? OPEN : gate;
  }
}
