package io.spillway.operator;

/**
 * The build rows of a broadcast join as all tasks of an executor share them: in memory, or on disk
 * where they do not fit.
 */
sealed interface SharedBuild permits SharedTable, SharedPartitions {
  /** Rows that have no null key. */
  long rows();

  /** Whether a row with a null key was left out. */
  boolean hasNullKeys();
}
