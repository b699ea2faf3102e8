package io.spillway.drill;

/** The drill itself could not go on. The message says what failed and where to look. */
public final class DrillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DrillException(String message) {
    super(message);
  }

  public DrillException(String message, Throwable cause) {
    super(message, cause);
  }
}
