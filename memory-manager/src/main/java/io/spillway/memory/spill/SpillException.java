package io.spillway.memory.spill;

import java.io.IOException;

/**
 * Spilled state that could not be written or read. It fails the task, never the executor: it is no
 * {@code OutOfMemoryError}, so that Spark does not take it for one, and no {@code IOException},
 * which Spark's arbitration would turn into one.
 */
public final class SpillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A failure without a lower one.
   *
   * @param message what failed, where
   */
  public SpillException(String message) {
    super(message);
  }

  /**
   * A failure of the disk, the codec or the cipher.
   *
   * @param message what failed, where
   * @param cause the lower failure
   */
  public SpillException(String message, IOException cause) {
    super(message, cause);
  }
}
