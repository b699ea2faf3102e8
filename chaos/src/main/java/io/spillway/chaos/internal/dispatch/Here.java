package io.spillway.chaos.internal.dispatch;

/**
 * The JVM as Spark knows it.
 *
 * @param applicationName {@code spark.app.name}; null before Spark has started
 * @param applicationId {@code spark.app.id}; null before Spark has given one
 * @param host the host as Spark calls it; null before Spark has started
 * @param executor the executor's id; null before Spark has started
 */
record Here(String applicationName, String applicationId, String host, String executor) {

  static final Here BEFORE_SPARK = new Here(null, null, null, null);

  /** Whether nothing is missing, so that it stays as it is until another Spark starts. */
  boolean isComplete() {
    return applicationName != null && applicationId != null && host != null && executor != null;
  }
}
