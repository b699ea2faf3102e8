package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent.Rung;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The upper rungs of the ladder, for a step over rows that can be repeated: when the step is
 * refused memory, spill and try again, wait for other tasks and try again, then do the range in
 * halves, down to one row. On the thread that works with the operator.
 *
 * <p>Bounded: each range is spilled for once, only the whole one is waited for and, for longer, one
 * that cannot be halved; and a range of {@code n} rows is halved at most log2(n) times, or {@code
 * spark.spillway.memory.splitDepth}.
 */
public final class Retry {
  private final OperatorMemory memory;
  private final RangeStep step;

  /** Of who runs all this: within a step that is itself repeated, no wait is longer than that's. */
  private final Patience outer;

  /** When the whole was refused first, by {@link System#nanoTime}. */
  private long refusedNanos;

  private Retry(OperatorMemory memory, RangeStep step) {
    this.memory = memory;
    this.step = step;
    this.outer = memory.retry().patience();
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
      Retry retry = new Retry(memory, step);
      try {
        retry.all(rows);
      } finally {
        memory.retry().setPatience(retry.outer);
      }
    }
  }

  /**
   * Runs a step that can do less at once and leave the rest for later: when it is refused memory,
   * it is run again for half, and for half of that, until there is enough.
   *
   * @param memory of the operator whose step it is
   * @param step repeatable after a refusal
   * @param halve makes the next run's part half as large; false, and all as before, if it cannot be
   *     made smaller
   * @throws SparkOutOfMemoryError if even the smallest part is refused memory
   */
  public static void withLess(OperatorMemory memory, Runnable step, BooleanSupplier halve) {
    Patience outer = memory.retry().patience();
    try {
      boolean done = false;
      Patience patience = outer.atMost(Patience.SOME);
      while (!done) {
        memory.retry().setPatience(patience);
        try {
          step.run();
          done = true;
          memory.retry().endWait(true);
        } catch (SparkOutOfMemoryError e) {
          if (halve.getAsBoolean()) {
            patience = Patience.NONE;
          } else if (patience != outer) {
            patience = outer;
          } else {
            throw e;
          }
        }
      }
    } finally {
      memory.retry().setPatience(outer);
    }
  }

  /**
   * Runs a section for which there is another way, which is taken soon if there is no memory.
   *
   * @param memory of the operator whose section it is
   * @param section frees what it has taken when it is refused memory
   * @return what it returned; empty if it was refused memory
   */
  public static <T> Optional<T> ifRoom(OperatorMemory memory, Supplier<T> section) {
    Patience outer = memory.retry().patience();
    memory.retry().setPatience(outer.atMost(Patience.SOME));
    Optional<T> result;
    try {
      result = Optional.of(section.get());
    } catch (SparkOutOfMemoryError refused) {
      result = Optional.empty();
    } finally {
      memory.retry().setPatience(outer);
    }
    memory.retry().endWait(true);
    return result;
  }

  /**
   * What a step was refused.
   *
   * @param askedBytes at least
   * @param error that the ladder ended with, or null if one grant only was tried
   */
  private record Refusal(long askedBytes, SparkOutOfMemoryError error) {}

  private void all(int rows) {
    memory.retry().setPatience(outer.atMost(Patience.SOME));
    Refusal refusal = attempt(0, rows);
    refusedNanos = System.nanoTime();
    if (refusal != null && spill(refusal)) {
      retried(0, rows, Rung.SPILL_OWN);
      refusal = attempt(0, rows);
    }
    refusal = waiting(0, rows, refusal);
    if (refusal != null) {
      memory.retry().setPatience(Patience.NONE);
      long startNanos = System.nanoTime();
      split(0, rows, refusal, memory.retry().splitDepth());
      memory.retry().endWait(true);
      memory.retry().splitDone(refusal.askedBytes(), System.nanoTime() - startNanos);
    }
  }

  /** Null, or what was refused at last. A ladder that was climbed to its end has waited already. */
  private Refusal waiting(int fromRow, int toRow, Refusal refused) {
    Refusal refusal = refused;
    int wait = 1;
    try {
      while (refusal != null
          && refusal.error() == null
          && memory.retry().await(refusal.askedBytes(), wait)) {
        wait++;
        retried(fromRow, toRow, Rung.WAIT_FOR_PEERS);
        refusal = attempt(fromRow, toRow);
      }
      if (refusal != null && wait > 1) {
        // Another may have returned everything since the last try, and be gone.
        refusal = attempt(fromRow, toRow);
      }
    } finally {
      if (wait > 1) {
        memory.retry().endWait(refusal == null);
      }
    }
    return refusal;
  }

  /** Recurses at most log2 of the rows deep, and no deeper than it may. */
  private void split(int fromRow, int toRow, Refusal refusal, int depthLeft) {
    if (toRow - fromRow == 1 || depthLeft == 0) {
      lastResort(fromRow, toRow, refusal);
    } else {
      int middle = fromRow + (toRow - fromRow) / 2;
      part(fromRow, middle, depthLeft - 1);
      part(middle, toRow, depthLeft - 1);
    }
  }

  /** Nothing is smaller, so what is left is the rest of the time that one may wait for others. */
  private void lastResort(int fromRow, int toRow, Refusal refused) {
    Refusal refusal = refused;
    if (outer == Patience.ALL) {
      memory.retry().setPatience(Patience.ALL);
      retried(fromRow, toRow, Rung.WAIT_FOR_PEERS);
      refusal = waiting(fromRow, toRow, attempt(fromRow, toRow));
    }
    if (refusal != null && refusal.error() != null) {
      throw refusal.error();
    } else if (refusal != null) {
      memory.retry().setPatience(outer);
      throw memory.retry().denied(refusal.askedBytes(), System.nanoTime() - refusedNanos);
    }
    memory.retry().setPatience(Patience.NONE);
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
