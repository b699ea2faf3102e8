package io.spillway.memory.breaker;

/**
 * Where an operator kind stands. CLOSED → OPEN when too many of its last outcomes failed; OPEN →
 * HALF_OPEN when it is asked about after its time; HALF_OPEN → CLOSED when its trials went well, →
 * OPEN when they failed or were never heard of.
 */
public enum BreakerState {
  /** It runs natively. */
  CLOSED,
  /** It is left on the JVM. */
  OPEN,
  /** A few stages may try it. */
  HALF_OPEN
}
