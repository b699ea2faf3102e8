package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import org.apache.spark.memory.SparkOutOfMemoryError;

/** What {@link Retry} does to one operator between two attempts of a step. On its thread. */
final class OperatorRetry {
  private final OperatorMemory operator;
  private final TaskMemory task;
  private final Reservation reservation;
  private Patience patience = Patience.ALL;

  OperatorRetry(OperatorMemory operator, TaskMemory task, Reservation reservation) {
    this.operator = operator;
    this.task = task;
    this.reservation = reservation;
  }

  /** Spills operators of this task, this one last; whether anything became free. */
  boolean spill(long bytes) {
    long usedBefore = task.usedBytes();
    return task.spilling().spillOwn(operator, bytes) > 0 || task.usedBytes() < usedBefore;
  }

  /**
   * The same for a single grant that was refused, now that this operator may be spilled too:
   * through Spark, so that nothing is spilled as long as Spark has more to grant.
   */
  boolean fetch(long bytes) {
    // For the system and the container Spark has nothing to grant: only what is spilled helps.
    if (operator.blocks().refusedBySystem() || reservation.refusedByGuard()) {
      return spill(bytes);
    }
    long usedBefore = task.usedBytes();
    if (reservation.fetch(bytes)) {
      return true;
    }
    // The container may have filled since the step was refused.
    boolean spilled = reservation.refusedByGuard() && spill(bytes);
    return spilled || task.usedBytes() < usedBefore;
  }

  /** Asks the other tasks and waits; false if that is no use, or after the last attempt. */
  boolean await(long bytes, int attempt) {
    return task.couldHold(bytes) && task.peerWait().next(bytes, attempt, patience);
  }

  /** Nothing more is waited for; granted also if less was done, for which there was enough. */
  void endWait(boolean granted) {
    task.peerWait().over(granted);
  }

  /** How often a range is halved at most. */
  int splitDepth() {
    return task.executor().settings().splitDepth();
  }

  /** For the requests of this operator from now on. */
  void setPatience(Patience patience) {
    this.patience = patience;
  }

  Patience patience() {
    return patience;
  }

  /**
   * The error for a request that is refused on the last rung, which is told of unless whoever runs
   * the step does less, or something else, instead.
   *
   * @param bytes asked for
   * @param nanos since it was first refused
   * @throws org.apache.spark.TaskKilledException instead, if the task was killed: what a kill has
   *     cut short is no failure of the task's, which Spark would count
   */
  SparkOutOfMemoryError denied(long bytes, long nanos) {
    task.endIfKilled();
    // A step is repeated on the operator's own thread only.
    if (patience == Patience.ALL || !operator.isWorkedWithHere()) {
      task.emit(new MemoryEvent.Denied(task.taskAttemptId(), operator.name(), bytes, nanos));
    }
    return new SparkOutOfMemoryError(Denial.message(task, operator, bytes));
  }

  void retried(int fromRow, int toRow, Rung rung) {
    task.figures().climbed(rung);
    task.emit(new MemoryEvent.Retried(task.taskAttemptId(), operator.name(), fromRow, toRow, rung));
  }

  /** Every part of a split batch is done. */
  void splitDone(long bytes, long nanos) {
    task.emit(
        new MemoryEvent.Granted(task.taskAttemptId(), operator.name(), bytes, Rung.SPLIT, nanos));
  }
}
