package io.spillway.chaos;

/**
 * When a rule may fire, by the clock of its JVM, counted from the moment at which the plan was
 * armed there.
 *
 * @param fromSeconds first second of the window, at least 0
 * @param toSeconds end of the window, not in it; {@link Long#MAX_VALUE}: it has none
 */
public record TimeWindow(long fromSeconds, long toSeconds) {
  /** All the time. */
  public static final TimeWindow ALWAYS = new TimeWindow(0, Long.MAX_VALUE);

  /** Refuses with {@link IllegalArgumentException} a window in which there is no second. */
  public TimeWindow {
    if (fromSeconds < 0 || toSeconds <= fromSeconds) {
      throw new IllegalArgumentException(
          "no time from second " + fromSeconds + " to second " + toSeconds);
    }
  }

  /** Whether so many seconds after arming are in the window. */
  public boolean contains(long seconds) {
    return seconds >= fromSeconds && seconds < toSeconds;
  }
}
