package io.spillway.testing;

/** How long a fault of a sweep lasts. */
public enum SweepMode {
  /** One call fails, and the next one is served. */
  ONE_SHOT,
  /** That call fails and all after it in its task, those of the task's later attempts included. */
  PERSISTENT
}
