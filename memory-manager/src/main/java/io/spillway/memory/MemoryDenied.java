package io.spillway.memory;

/**
 * A request for native memory that was refused, and that the caller may repeat for less.
 *
 * <p>An operator throws it inside {@link Retry#withRetry} when {@link OperatorMemory#tryAllocate}
 * answered null. It is no {@code OutOfMemoryError} and carries no cause.
 */
public final class MemoryDenied extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String operator;
  private final long askedBytes;

  /**
   * A refusal.
   *
   * @param operator name of the operator that asked
   * @param askedBytes what it asked for, in bytes
   */
  public MemoryDenied(String operator, long askedBytes) {
    super(operator + " was refused " + askedBytes + " bytes of native memory");
    this.operator = operator;
    this.askedBytes = askedBytes;
  }

  /** Name of the operator that asked. */
  public String operator() {
    return operator;
  }

  /** What it asked for, in bytes. */
  public long askedBytes() {
    return askedBytes;
  }
}
