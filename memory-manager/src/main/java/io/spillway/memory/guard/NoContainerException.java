package io.spillway.memory.guard;

/** There is no container to watch; the message says why. */
final class NoContainerException extends Exception {
  private static final long serialVersionUID = 1L;

  NoContainerException(String reason) {
    super(reason);
  }
}
