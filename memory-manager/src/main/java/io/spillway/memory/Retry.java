package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent.Rung;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The upper rungs of the ladder, for a step over rows that can be repeated: when the step is
 * refused memory, spill and try again, wait for other tasks and try again, then do the range in
 * halves, down to one row. On the thread that works with the operator.
 *
 * <p>Bounded: each range is spilled for once, only the whole one is waited for, and a range of
 * {@code n} rows is halved at most log2(n) times, or {@code spark.spillway.memory.splitDepth}.
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
   * @throws SparkOutOfMemoryError if even the smallest part is refused memory; it has no cause and
   *     fails the task only
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
    boolean granted = false;
    try {
      // A ladder that was climbed to its end has waited already.
      while (refusal != null
          && refusal.error() == null
          && memory.retry().await(refusal.askedBytes(), wait)) {
        wait++;
        retried(0, rows, Rung.WAIT_FOR_PEERS);
        refusal = attempt(0, rows);
      }
      granted = refusal == null;
    } finally {
      if (wait > 1) {
        memory.retry().endWait(granted);
      }
    }
    if (refusal != null) {
      boolean before = memory.retry().setSplitting(true);
      long startNanos = System.nanoTime();
      try {
        split(0, rows, refusal, memory.retry().splitDepth());
      } finally {
        memory.retry().setSplitting(before);
      }
      memory.retry().splitDone(refusal.askedBytes(), System.nanoTime() - startNanos);
    }
  }

  /** Recurses at most log2 of the rows deep, and no deeper than it may. */
  private void split(int fromRow, int toRow, Refusal refusal, int depthLeft) {
    if (toRow - fromRow == 1 || depthLeft == 0) {
      throw refusal.error() != null ? refusal.error() : memory.retry().denied(refusal.askedBytes());
    }
    int middle = fromRow + (toRow - fromRow) / 2;
    part(fromRow, middle, depthLeft - 1);
    part(middle, toRow, depthLeft - 1);
  }

  private void part(int fromRow, int toRow, int depthLeft) {
    retried(fromRow, toRow, Rung.SPLIT);
    Refusal refusal = attempt(fromRow, toRow);
    if (refusal != null && spill(refusal)) {
      retried(fromRow, toRow, Rung.SPILL_OWN);
      refusal = attempt(fromRow, toRow);
    }
    if (refusal != null) {
      split(fromRow, toRow, refusal, depthLeft);
    }
  }

  private boolean spill(Refusal refusal) {
    return refusal.error() == null
        ? memory.retry().fetch(refusal.askedBytes())
        : memory.retry().spill(refusal.askedBytes());
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
    memory.retry().retried(fromRow, toRow, rung);
  }
}
