package io.spillway.drill;

/** The drill itself could not go on. The message says what failed and where to look. */
final class DrillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DrillException(String message) {
    super(message);
  }

  DrillException(String message, Throwable cause) {
    super(message, cause);
  }
}
