package io.spillway.report;

/** What was to be read is no record of a run. The message is one sentence for a terminal. */
public final class RecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong with which file, and what is expected
   */
  public RecordException(String message) {
    super(message);
  }

  /** As above, with what revealed it. */
  public RecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
