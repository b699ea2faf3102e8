package io.spillway.memory;

/** A native library that is not there for this platform, or that cannot be loaded. */
public final class NativeUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A library that cannot be used.
   *
   * @param reason one clear phrase
   */
  public NativeUnavailableException(String reason) {
    super(reason);
  }

  /**
   * A library that cannot be used.
   *
   * @param reason one clear phrase
   * @param cause what the loader said
   */
  public NativeUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
