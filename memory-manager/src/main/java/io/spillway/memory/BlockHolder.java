package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;

/** Whoever blocks are charged to: an operator, or memory that the tasks of an executor share. */
interface BlockHolder {
  /** Spark's id of the attempt, {@link MemoryEvent#NO_TASK} if it belongs to none. */
  long taskAttemptId();

  /** As it stands in logs. */
  String name();

  /** Gives one block back, unless somebody was quicker. From any thread. */
  void free(LedgeredBlock block);
}
