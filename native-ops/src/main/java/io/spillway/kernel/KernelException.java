package io.spillway.kernel;

/**
 * A kernel refused what it was given: a defect of the caller, or a page or row that is damaged. It
 * says nothing about memory and fails the task only.
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

  /** One of the {@code BAD_} results of {@link Abi}. */
  public int code() {
    return code;
  }
}
