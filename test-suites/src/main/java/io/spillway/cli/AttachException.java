package io.spillway.cli;

/** A JVM cannot be reached, or its agent refused what it was asked. The message is one sentence. */
final class AttachException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AttachException(String message) {
    super(message);
  }

  AttachException(String message, Throwable cause) {
    super(message, cause);
  }
}
