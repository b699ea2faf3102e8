package io.spillway.kernel;

/** What the library says of the operations of expression programs. */
final class ExprNatives {
  private ExprNatives() {}

  /**
   * Fills {@code out} with the numbers of the operations, in the order of {@code spw_abi_expr.h};
   * returns how many there are.
   */
  static native int operations(int[] out);
}
