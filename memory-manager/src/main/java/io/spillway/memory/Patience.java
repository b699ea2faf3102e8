package io.spillway.memory;

/** How long a request that was refused waits for the executor's other tasks. From short to long. */
enum Patience {
  /** Not at all: what it is a part of has waited. */
  NONE,
  /** As often as {@code waitAttempts} says: if it is refused, less is done at once. */
  SOME,
  /** For {@code waitTotal}: if it is refused, the task fails. */
  ALL;

  Patience atMost(Patience other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
