package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import java.util.function.Supplier;

/**
 * What one task does when memory is refused: give back idle quanta, spill its own operators, ask
 * the executor's other tasks to spill and wait, deny. Bounded on every rung. On the thread that
 * works with the operator; a request from another thread, or from inside a spill, is denied after
 * the first rung, because neither may spill.
 */
final class Ladder {
  private final TaskMemory task;

  Ladder(TaskMemory task) {
    this.task = task;
  }

  /**
   * Repeats a grant, one rung after the other, until it succeeds.
   *
   * @param operator that asks
   * @param bytes it asks for
   * @param grant answers null, with all figures as before, when it is refused
   * @return what the grant answered
   * @throws org.apache.spark.memory.SparkOutOfMemoryError after the last rung
   * @throws org.apache.spark.TaskKilledException instead, if the task was killed meanwhile
   */
  <T> T climb(OperatorMemory operator, long bytes, Supplier<T> grant) {
    T got = grant.get();
    if (got != null) {
      return got;
    }
    long startNanos = System.nanoTime();
    emitPressure(operator, bytes, Rung.GIVE_BACK_IDLE);
    task.spilling().giveBackIdle();
    task.executor().shared().evictUnused(bytes);
    got = heard(operator, bytes, Rung.GIVE_BACK_IDLE, startNanos, grant.get());
    if (got == null && operator.isWorkedWithHere() && task.spilling().maySpill()) {
      got = spilling(operator, bytes, grant);
      if (got == null && task.couldHold(bytes) && operator.retry().patience() != Patience.NONE) {
        got = waiting(operator, bytes, grant);
      }
    }
    if (got == null) {
      throw operator.retry().denied(bytes, System.nanoTime() - startNanos);
    }
    return got;
  }

  private <T> T spilling(OperatorMemory operator, long bytes, Supplier<T> grant) {
    emitPressure(operator, bytes, Rung.SPILL_OWN);
    long startNanos = System.nanoTime();
    T got = null;
    long freed = 1;
    for (int round = task.operatorCount(); got == null && freed > 0 && round >= 0; round--) {
      freed = task.spilling().spillOwn(operator, bytes);
      // Also when nothing went back to Spark: what was freed may be idle in the operator itself.
      got = grant.get();
    }
    return heard(operator, bytes, Rung.SPILL_OWN, startNanos, got);
  }

  private <T> T waiting(OperatorMemory operator, long bytes, Supplier<T> grant) {
    long startNanos = System.nanoTime();
    Patience patience = operator.retry().patience();
    T got = null;
    try {
      for (int attempt = 1;
          got == null && task.peerWait().next(bytes, attempt, patience);
          attempt++) {
        if (attempt == 1) {
          emitPressure(operator, bytes, Rung.WAIT_FOR_PEERS);
        }
        got = grant.get();
      }
      if (got == null) {
        // Another may have returned everything since the last try, and be gone.
        got = grant.get();
      }
    } finally {
      task.peerWait().over(got != null);
    }
    return heard(operator, bytes, Rung.WAIT_FOR_PEERS, startNanos, got);
  }

  private <T> T heard(OperatorMemory operator, long bytes, Rung rung, long startNanos, T got) {
    if (got != null) {
      long nanos = System.nanoTime() - startNanos;
      task.emit(new MemoryEvent.Granted(task.taskAttemptId(), operator.name(), bytes, rung, nanos));
    }
    return got;
  }

  private void emitPressure(OperatorMemory operator, long bytes, Rung rung) {
    task.figures().climbed(rung);
    task.emit(
        new MemoryEvent.Pressure(
            task.taskAttemptId(),
            operator.name(),
            bytes,
            operator.usedBytes(),
            task.executor().settings().offHeapBytes(),
            rung));
  }
}
