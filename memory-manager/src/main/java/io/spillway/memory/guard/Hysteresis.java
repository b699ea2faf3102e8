package io.spillway.memory.guard;

/**
 * Two thresholds: growth is refused from above the upper one until below the lower one, so that a
 * container at the brink does not flicker between the two. Guarded by its owner.
 */
final class Hysteresis {
  /** What an observation changed. */
  enum Change {
    /** Nothing. */
    NONE,
    /** From here on growth is refused. */
    BEGAN,
    /** From here on it is not. */
    ENDED
  }

  private final GuardSettings settings;
  private boolean refusing;

  Hysteresis(GuardSettings settings) {
    this.settings = settings;
  }

  /**
   * Looks at the figures.
   *
   * @param usedBytes now
   * @param askedBytes by which a task wants to grow, 0 if none does
   * @param limitBytes of the container
   * @return what has changed
   */
  Change observe(long usedBytes, long askedBytes, long limitBytes) {
    long lowBytes = settings.lowBytes(limitBytes);
    if (refusing) {
      refusing = usedBytes >= lowBytes;
      return refusing ? Change.NONE : Change.ENDED;
    }
    // A request that is too large for an almost empty container is no reason to spill everybody.
    boolean crossed =
        usedBytes >= lowBytes && usedBytes + askedBytes > settings.highBytes(limitBytes);
    refusing = crossed;
    return crossed ? Change.BEGAN : Change.NONE;
  }

  boolean refusing() {
    return refusing;
  }
}
