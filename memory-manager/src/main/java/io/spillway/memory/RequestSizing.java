package io.spillway.memory;

/**
 * How much an operator asks Spark for: whole quanta as long as Spark has them, else what it has, at
 * least what is needed. Where that is too little, idle quanta of the task's other operators go back
 * first and shared memory that no task uses is evicted, so that Spark finds them before it makes
 * anybody spill; and tasks that hold more than their share are asked for it, because Spark may let
 * this one wait until they give way.
 */
final class RequestSizing implements Reservation.Sizing {
  private final TaskMemory task;
  private final OperatorMemory asking;

  RequestSizing(TaskMemory task, OperatorMemory asking) {
    this.task = task;
    this.asking = asking;
  }

  @Override
  public long ask(long missingBytes, long mostBytes) {
    long grantable = task.grantableBytes();
    if (grantable >= mostBytes) {
      return mostBytes;
    }
    for (OperatorMemory operator : task.operators()) {
      if (operator != asking) {
        grantable += operator.giveBackIdle();
      }
    }
    if (grantable < missingBytes) {
      grantable += task.executor().shared().evictUnused(missingBytes - grantable);
    }
    if (grantable < missingBytes) {
      task.executor().askAboveShare(task, missingBytes);
    }
    return Math.max(missingBytes, Math.min(mostBytes, grantable));
  }
}
