package io.spillway.chaos.internal.dispatch;

/**
 * Whether Spillway is on the tasks' class path, so that {@code task.batch} counts its batches and
 * not Spark's own checks. Decided once, at the first check of the first task: looking at what is
 * loaded so far would make the count depend on the order of the tasks. Any thread.
 */
final class SpillwayPresence {
  private static final String BATCHES = "io/spillway/memory/OperatorMemory.class";

  private volatile Boolean there;

  /** Notes that Spillway has started a batch: it is there, whatever the loaders said. */
  void confirm() {
    if (there == null || !there) {
      there = true;
    }
  }

  /** Whether the thread's class loader, or else the seam's, finds Spillway. */
  boolean isThere(Class<?> seam) {
    Boolean known = there;
    if (known == null) {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      if (loader == null) {
        loader = seam.getClassLoader();
      }
      known = loader.getResource(BATCHES) != null;
      there = known;
    }
    return known;
  }
}
