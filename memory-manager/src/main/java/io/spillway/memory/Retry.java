package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The upper rungs of the ladder, for a step over rows that can be repeated: when the step is
 * refused memory, spill and try again, wait for other tasks and try again, then do the range in
 * halves, down to one row. On the task's thread.
 *
 * <p>Bounded: each range is spilled for once, only the whole one is waited for, and a range of
 * {@code n} rows is halved at most log2(n) times.
 */
public final class Retry {
  private final OperatorMemory memory;
  private final RangeStep step;

  private Retry(OperatorMemory memory, RangeStep step) {
    this.memory = memory;
    this.step = step;
  }

  /**
   * Runs a step over rows {@code [0, rows)}, in one go or in parts that follow each other.
   *
   * @param memory of the operator whose step it is
   * @param rows of the batch; 0 runs nothing
   * @param step repeatable after a refusal, as {@link RangeStep} says
   * @throws SparkOutOfMemoryError if even one row is refused memory; it has no cause and fails the
   *     task only
   */
  public static void withRetry(OperatorMemory memory, int rows, RangeStep step) {
    if (rows < 0) {
      throw new IllegalArgumentException("rows must not be negative: " + rows);
    }
    if (rows > 0) {
      new Retry(memory, step).all(rows);
    }
  }

  /**
   * What a step was refused.
   *
   * @param askedBytes at least
   * @param error that the ladder ended with, or null if one grant only was tried
   */
  private record Refusal(long askedBytes, SparkOutOfMemoryError error) {}

  private void all(int rows) {
    Refusal refusal = attempt(0, rows);
    if (refusal != null && spill(refusal)) {
      retried(0, rows, Rung.SPILL_OWN);
      refusal = attempt(0, rows);
    }
    int wait = 1;
    // A ladder that was climbed to its end has waited already.
    while (refusal != null
        && refusal.error() == null
        && memory.waitForRetry(refusal.askedBytes(), wait)) {
      retried(0, rows, Rung.WAIT_FOR_PEERS);
      refusal = attempt(0, rows);
      wait++;
    }
    if (wait > 1) {
      memory.endWaitForRetry(refusal == null);
    }
    if (refusal != null) {
      boolean before = memory.setSplitting(true);
      try {
        split(0, rows, refusal);
      } finally {
        memory.setSplitting(before);
      }
    }
  }

  /** Depth is at most log2 of the rows. */
  private void split(int fromRow, int toRow, Refusal refusal) {
    if (toRow - fromRow == 1) {
      throw refusal.error() != null ? refusal.error() : memory.deniedAtOneRow(refusal.askedBytes());
    }
    int middle = fromRow + (toRow - fromRow) / 2;
    part(fromRow, middle);
    part(middle, toRow);
  }

  private void part(int fromRow, int toRow) {
    retried(fromRow, toRow, Rung.SPLIT);
    Refusal refusal = attempt(fromRow, toRow);
    if (refusal != null && spill(refusal)) {
      retried(fromRow, toRow, Rung.SPILL_OWN);
      refusal = attempt(fromRow, toRow);
    }
    if (refusal != null) {
      split(fromRow, toRow, refusal);
    }
  }

  private boolean spill(Refusal refusal) {
    return refusal.error() == null
        ? memory.fetchForRetry(refusal.askedBytes())
        : memory.spillForRetry(refusal.askedBytes());
  }

  private Refusal attempt(int fromRow, int toRow) {
    try {
      step.run(fromRow, toRow);
      return null;
    } catch (MemoryDenied e) {
      return new Refusal(e.askedBytes(), null);
    } catch (SparkOutOfMemoryError e) {
      // How much was asked for stands in its message; the operator chooses how much it spills.
      return new Refusal(1, e);
    }
  }

  private void retried(int fromRow, int toRow, Rung rung) {
    memory.countRetry(rung);
    memory.emit(
        new MemoryEvent.Retried(memory.taskAttemptId(), memory.name(), fromRow, toRow, rung));
  }
}
