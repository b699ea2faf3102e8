package io.spillway.operator;

/** Some rows in native memory, a column at a time; valid until their source moves on. */
interface NativeColumns {
  /** Number of rows. */
  int rows();

  /** A column; null if the source does not read it. */
  NativeVector column(int ordinal);

  /**
   * Leaves the second half of the rows to when the source moves on; the first ones stay where they
   * are.
   *
   * @return false if that cannot be: there is one row only, or all are needed together
   */
  default boolean halve() {
    return false;
  }
}
