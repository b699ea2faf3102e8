package io.spillway.memory.breaker;

import java.time.Duration;

/**
 * When an operator kind is left on the JVM, and for how long.
 *
 * @param windowOutcomes how many of the last outcomes are looked at
 * @param fewestOutcomes how many there must be before anything is concluded, at most the window
 * @param failurePercent of failures among them that opens the breaker, 1 to 100
 * @param openFor how long it stays open before the kind is tried again
 * @param trials how many stages may try it then, and must tell how that went
 * @param trialsWithin how long they may take; a trial that is never heard of would leave the
 *     breaker half-open for good
 */
public record BreakerSettings(
    int windowOutcomes,
    int fewestOutcomes,
    int failurePercent,
    Duration openFor,
    int trials,
    Duration trialsWithin) {
  /** Half of at least 4 of the last 20 outcomes; a minute; 2 trials within 10 minutes. */
  public static final BreakerSettings DEFAULT =
      new BreakerSettings(20, 4, 50, Duration.ofMinutes(1), 2, Duration.ofMinutes(10));

  /** Checks the figures. */
  public BreakerSettings {
    if (fewestOutcomes < 1 || windowOutcomes < fewestOutcomes) {
      throw new IllegalArgumentException(
          "fewestOutcomes must be from 1 to windowOutcomes, but they are "
              + fewestOutcomes
              + " and "
              + windowOutcomes);
    }
    if (failurePercent < 1 || failurePercent > 100) {
      throw new IllegalArgumentException(
          "failurePercent must be from 1 to 100, but it is " + failurePercent);
    }
    if (trials < 1 || openFor.toMillis() < 1 || trialsWithin.toMillis() < 1) {
      throw new IllegalArgumentException(
          "trials, openFor and trialsWithin must be positive, but they are "
              + trials
              + ", "
              + openFor
              + " and "
              + trialsWithin);
    }
  }
}
