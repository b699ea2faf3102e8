package io.spillway.expression;

/** Says why something stays on the JVM. Normal, not an error: the query runs as plain Spark's. */
public final class UnsupportedException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason one clear phrase for the person who reads the plan, for example {@code "ANSI
   *     mode"} or {@code "function upper"}
   */
  public UnsupportedException(String reason) {
    // Thrown for every operator that is left alone, and only its text is used.
    super(reason, null, false, false);
  }

  /** The phrase. */
  public String reason() {
    return getMessage();
  }
}
