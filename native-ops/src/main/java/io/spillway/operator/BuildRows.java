package io.spillway.operator;

/** Where a join's build rows come from: some at a time, as columns of its stored rows. */
interface BuildRows {
  /** Moves on to the next rows; false at the end. May allocate. */
  boolean next();

  /** Number of rows. */
  int rows();

  /** Address of one {@code spw_column} a column of the stored rows. */
  long columns();
}
