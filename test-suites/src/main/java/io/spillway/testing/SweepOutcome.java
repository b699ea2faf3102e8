package io.spillway.testing;

/** What came of an invocation with a fault. */
public enum SweepOutcome {
  /** No attempt of a task failed. */
  RECOVERED("recovered"),
  /** An attempt failed, another one succeeded, and so did the job. */
  TASK_RETRIED("task retried"),
  /** The job failed with an expected error, and left nothing behind. */
  FAILED_CLEAN("failed clean"),
  /** The job did not come to the call this time, so that nothing was tested. */
  NOT_REACHED("not reached"),
  /** A wrong result, another error, or something left behind. */
  FAILED("failed");

  private final String words;

  SweepOutcome(String words) {
    this.words = words;
  }

  /** As reports say it. */
  public String words() {
    return words;
  }
}
