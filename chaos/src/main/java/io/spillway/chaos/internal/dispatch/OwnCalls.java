package io.spillway.chaos.internal.dispatch;

/**
 * Tells the agent's own allocations from the job's, while points of the JDK are armed: the agent
 * writes files, and that takes direct buffers. Any thread.
 */
final class OwnCalls {
  /** How the agent's own threads are called. */
  static final String THREADS = "spillway-chaos-";

  @SuppressWarnings("ThreadLocalUsage") // Removed when the call is over.
  private static final ThreadLocal<Boolean> INSIDE = new ThreadLocal<>();

  private static volatile boolean watched;

  private OwnCalls() {}

  /** From now on it matters; or no longer. */
  static void watch(boolean matters) {
    watched = matters;
  }

  /** The thread begins to work for the agent; true: {@link #leave} must follow. */
  static boolean enter() {
    if (!watched || INSIDE.get() != null) {
      return false;
    }
    INSIDE.set(Boolean.TRUE);
    return true;
  }

  static void leave() {
    INSIDE.remove();
  }

  /** Whether the thread works for the agent. */
  static boolean isInside() {
    return INSIDE.get() != null || Thread.currentThread().getName().startsWith(THREADS);
  }
}
