package io.spillway.drill;

/**
 * What the caller asked for cannot be done as asked. The message is one sentence for a terminal.
 */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
