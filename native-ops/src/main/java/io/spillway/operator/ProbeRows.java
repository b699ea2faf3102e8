package io.spillway.operator;

/** Where a join's probe rows come from, some at a time. */
interface ProbeRows {
  /** Moves on to the next rows; false at the end. May allocate. */
  boolean next();

  /** The rows, with all columns of the probe child. */
  NativeColumns columns();

  /**
   * Address of a byte a row: {@code JoinAbi.STATE_MATCHED} where an earlier part of the build side
   * has matched it, else {@code STATE_UNMATCHED}; 0 if none was matched.
   */
  long states();
}
