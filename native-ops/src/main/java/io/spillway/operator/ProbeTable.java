package io.spillway.operator;

/**
 * Build rows that probe rows are looked up in: a task's own, or one that the tasks of an executor
 * share. Used by the task's thread; whether others may use it too is the implementation's to say.
 */
interface ProbeTable {
  /** Writes what a {@code spw_join} says of this table and its rows; the rest is set to zero. */
  void describe(long join, JoinFrame frame);

  /** Address of the first {@code spw_partition}; the others follow. */
  long structs();

  /** Number of partitions, a power of two. */
  int partitions();

  /** The number of the partition of a hash. */
  int partitionOf(long hash);

  /** The partitions that are not in memory, a bit each. */
  long absent();

  /**
   * Gives a partition its index; it is absent afterwards if there was no room.
   *
   * @param slots that it needs
   */
  void index(int number, long slots);
}
