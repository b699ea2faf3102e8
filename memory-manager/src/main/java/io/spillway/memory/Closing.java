package io.spillway.memory;

/** Runs every step of a clean-up, whatever single steps throw, and throws at the end. */
final class Closing {
  private Throwable first;

  /** Runs one step; what it throws is kept. */
  void run(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      if (first == null) {
        first = t;
      } else if (first != t) {
        first.addSuppressed(t);
      }
    }
  }

  /** Throws what the first failing step threw, with the others suppressed in it. */
  void rethrow() {
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first instanceof Error e) {
      throw e;
    }
    if (first != null) {
      // Scala code throws checked exceptions without saying so.
      throw new IllegalStateException("a clean-up step failed: " + first, first);
    }
  }
}
