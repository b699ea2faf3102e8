package io.spillway.operator;

/** Some rows in native memory, a column at a time; valid until their source moves on. */
interface NativeColumns {
  /** Number of rows. */
  int rows();

  /** A column; null if the source does not read it. */
  NativeVector column(int ordinal);
}
