package io.spillway.kernel;

/**
 * A kernel refused what it was given: a defect of the caller, a page, row or image that is damaged,
 * or a string or row that is longer than any buffer can be. It is not about memory that is short,
 * and fails the task only.
 */
public final class KernelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String kernel;
  private final int code;

  KernelException(String kernel, int code, String meaning) {
    super("kernel " + kernel + " answered " + code + ": " + meaning);
    this.kernel = kernel;
    this.code = code;
  }

  /** The kernel's name, as in {@code spw_abi.h} without its prefix. */
  public String kernel() {
    return kernel;
  }

  /** One of the {@code BAD_} results of {@link Abi}, or {@link Abi#TOO_LONG}. */
  public int code() {
    return code;
  }
}
