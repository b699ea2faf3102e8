package io.spillway.testing.internal;

/** A run that did not end by itself; the message says where it was. */
final class HungRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HungRunException(String message) {
    super(message);
  }

  HungRunException(String message, Throwable cause) {
    super(message, cause);
  }
}
