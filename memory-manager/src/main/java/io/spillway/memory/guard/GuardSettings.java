package io.spillway.memory.guard;

import java.io.Serializable;

/**
 * How the container is watched.
 *
 * @param enabled whether it is
 * @param high fraction of the container's limit above which tasks must spill and may not grow
 * @param low fraction of the limit below which they may grow again, less than {@code high}
 * @param intervalMillis between two looks at the container's figures
 */
public record GuardSettings(boolean enabled, double high, double low, long intervalMillis)
    implements Serializable {
  /** Refuses thresholds that could never work. */
  public GuardSettings {
    if (!(low > 0 && low < high && high < 1)) {
      throw new IllegalArgumentException(
          "0 < low < high < 1 must hold, but low=" + low + " and high=" + high);
    }
    if (intervalMillis < 1) {
      throw new IllegalArgumentException(
          "intervalMillis must be at least 1, but it is " + intervalMillis);
    }
  }

  long highBytes(long limitBytes) {
    return (long) (limitBytes * high);
  }

  long lowBytes(long limitBytes) {
    return (long) (limitBytes * low);
  }
}
