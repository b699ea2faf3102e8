package io.spillway.memory.event;

import java.util.function.LongSupplier;

/**
 * Lets one line of a kind through each second, and counts those it held back: a starved executor
 * must not drown in its own log. Thread-safe.
 */
final class LineGate {
  /** The answer of {@link #pass} to a line that is not to be written. */
  static final long SHUT = -1;

  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final LongSupplier nanoClock;
  private boolean written;
  private long lastNanos;
  private long heldBack;

  LineGate(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** How many lines were held back since the last one that passed, or {@link #SHUT}. */
  synchronized long pass() {
    long now = nanoClock.getAsLong();
    if (written && now - lastNanos < INTERVAL_NANOS) {
      heldBack++;
      return SHUT;
    }
    written = true;
    lastNanos = now;
    long before = heldBack;
    heldBack = 0;
    return before;
  }
}
