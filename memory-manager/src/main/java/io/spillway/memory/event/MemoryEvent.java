package io.spillway.memory.event;

import java.util.List;

/** Something that happened to native memory, as a value. */
public sealed interface MemoryEvent {
  /** The id of an event that belongs to no task attempt. */
  long NO_TASK = -1;

  /** Spark's id of the task attempt it happened in, or {@link #NO_TASK}. */
  long taskAttemptId();

  /** Name of the operator it happened to. */
  String operator();

  /**
   * A request was not granted at once, and the ladder is climbed.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that asked
   * @param askedBytes what it asked for
   * @param usedBytes what the operator held
   * @param limitBytes size of Spark's off-heap memory
   * @param rung that is tried next
   */
  record Pressure(
      long taskAttemptId,
      String operator,
      long askedBytes,
      long usedBytes,
      long limitBytes,
      Rung rung)
      implements MemoryEvent {}

  /**
   * A request was granted after a rung of the ladder.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that asked
   * @param askedBytes what it asked for
   * @param rung that made it possible
   * @param nanos time spent on that rung
   */
  record Granted(long taskAttemptId, String operator, long askedBytes, Rung rung, long nanos)
      implements MemoryEvent {}

  /**
   * An operator gave memory back by writing state to disk.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that spilled
   * @param freedBytes given back to Spark
   * @param nanos time it took
   */
  record Spilled(long taskAttemptId, String operator, long freedBytes, long nanos)
      implements MemoryEvent {}

  /**
   * A step is repeated after it was refused memory.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator whose step it is
   * @param fromRow first row of the range that is tried next
   * @param toRow row after its last one
   * @param rung why it can be tried again
   */
  record Retried(long taskAttemptId, String operator, int fromRow, int toRow, Rung rung)
      implements MemoryEvent {}

  /**
   * A request was refused for good, after every rung: nothing smaller and no other way is tried, so
   * whoever asked fails.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that asked
   * @param askedBytes what it asked for
   * @param nanos since it was first refused
   */
  record Denied(long taskAttemptId, String operator, long askedBytes, long nanos)
      implements MemoryEvent {}

  /**
   * The scope of an attempt that succeeded found live blocks: a defect of the operator.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that owned them
   * @param bytes found and freed
   * @param blocks how many
   * @param site where the first of them was allocated, if sites are recorded, else null
   */
  record Leaked(long taskAttemptId, String operator, long bytes, int blocks, Throwable site)
      implements MemoryEvent {}

  /**
   * The scope of an attempt that failed found live blocks, as may be expected.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that owned them
   * @param bytes found and freed
   * @param blocks how many
   */
  record Reclaimed(long taskAttemptId, String operator, long bytes, int blocks)
      implements MemoryEvent {}

  /**
   * The scope of an attempt found live blocks that a thread still uses. They are freed when it is
   * done.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that owns them
   * @param bytes found
   * @param blocks how many
   * @param threads names of those that were inside
   */
  record Quarantined(
      long taskAttemptId, String operator, long bytes, int blocks, List<String> threads)
      implements MemoryEvent {
    /** Keeps an immutable copy of the names. */
    public Quarantined {
      threads = List.copyOf(threads);
    }
  }

  /**
   * Blocks in quarantine were freed.
   *
   * @param taskAttemptId Spark's id of the attempt
   * @param operator that owned them
   * @param bytes freed
   * @param blocks how many
   * @param nanos since the attempt had ended
   */
  record QuarantineEnded(long taskAttemptId, String operator, long bytes, int blocks, long nanos)
      implements MemoryEvent {}

  /**
   * The executor's container came near its limit, or has room again. It concerns every task.
   *
   * @param refusing true when growth is refused from now on, false when it is allowed again
   * @param group whose limit it is, such as {@code /sys/fs/cgroup/memory}
   * @param usedBytes by the container, file cache not counted
   * @param residentBytes in this process, -1 if unknown
   * @param limitBytes of the container
   * @param ledgerBytes in live blocks of all tasks
   * @param nanos that growth was refused for; 0 when that begins
   */
  record ContainerPressure(
      boolean refusing,
      String group,
      long usedBytes,
      long residentBytes,
      long limitBytes,
      long ledgerBytes,
      long nanos)
      implements MemoryEvent {
    /** None: it is the executor's. */
    @Override
    public long taskAttemptId() {
      return NO_TASK;
    }

    /** None: it is the executor's. */
    @Override
    public String operator() {
      return "executor";
    }
  }

  /** The rungs of the pressure ladder, in their order. */
  enum Rung {
    /** Idle quanta of the task's operators go back to Spark. */
    GIVE_BACK_IDLE,
    /** The task's operators spill, the asking one last. */
    SPILL_OWN,
    /** The executor's other tasks are asked to spill at their next batch, and waited for. */
    WAIT_FOR_PEERS,
    /** The batch is done in halves. */
    SPLIT
  }
}
