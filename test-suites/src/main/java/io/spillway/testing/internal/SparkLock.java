package io.spillway.testing.internal;

/** The one Spark and the one armed plan of a JVM, as JUnit's parallel execution locks them. */
public final class SparkLock {
  /** The resource's name. */
  public static final String NAME = "io.spillway.testing.spark";

  private SparkLock() {}
}
