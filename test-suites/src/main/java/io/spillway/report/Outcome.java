package io.spillway.report;

import com.fasterxml.jackson.annotation.JsonValue;

/** What came of a fault. */
public enum Outcome {
  /** The attempt in which it fired succeeded. */
  RECOVERED("recovered"),
  /** That attempt failed or was killed, and another attempt of the same task succeeded. */
  RETRIED("retried"),
  /** No attempt of the task succeeded, and the executor lived on. */
  FAILED_CLEANLY("failed cleanly"),
  /** The executor died of it, or nobody saw the attempt end. */
  NOT_HANDLED("not handled");

  private final String words;

  Outcome(String words) {
    this.words = words;
  }

  /** As reports say it. */
  @JsonValue
  public String words() {
    return words;
  }
}
