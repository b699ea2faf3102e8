package io.spillway.testing.internal;

import java.util.Optional;

/** What one invocation of a test does. */
interface Step {

  /** The invocation's name. */
  String name();

  /** The fault that is injected, as its name says it. */
  default Optional<String> fault() {
    return Optional.empty();
  }

  /** Done before the method's arguments are made. */
  default void prepare() {}

  /**
   * Runs the test's method as often as it takes, and judges.
   *
   * @throws Throwable what the invocation comes to if it does not pass
   */
  void run(TestBody body) throws Throwable;
}
