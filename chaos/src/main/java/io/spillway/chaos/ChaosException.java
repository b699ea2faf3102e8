package io.spillway.chaos;

/** The exception that the fault {@code exception} throws. */
public final class ChaosException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names point, key and rule
   */
  public ChaosException(String message) {
    super(message);
  }
}
