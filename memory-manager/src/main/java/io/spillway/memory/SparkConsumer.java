package io.spillway.memory;

import java.util.function.LongUnaryOperator;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/** One operator as Spark's arbitration and its memory-usage dump see it. */
final class SparkConsumer extends MemoryConsumer {
  /** What failed in a spill for this thread's request; Spark calls both on the same thread. */
  private static final ThreadLocal<Throwable> FAILED_SPILL = new ThreadLocal<>();

  private final String name;
  private final LongUnaryOperator spill;
  private final Stall stall;

  /**
   * An off-heap consumer.
   *
   * @param manager of the task attempt
   * @param name of the operator
   * @param spill asked for bytes, answers the bytes given back to Spark
   * @param stall told when Spark lets the task wait
   */
  SparkConsumer(TaskMemoryManager manager, String name, LongUnaryOperator spill, Stall stall) {
    super(manager, MemoryMode.OFF_HEAP);
    this.name = name;
    this.spill = spill;
    this.stall = stall;
  }

  /**
   * Asks Spark, which may spill consumers of this task meanwhile; returns what it granted. Throws
   * what such a spill threw, with nothing granted.
   */
  long acquire(long bytes) {
    long granted;
    stall.begin();
    try {
      granted = taskMemoryManager.acquireExecutionMemory(bytes, this);
    } catch (Throwable t) {
      // An operator of the JVM has failed after one of ours: the thread's next task must not hear.
      Throwable earlier = takeFailedSpill();
      if (earlier != null && earlier != t) {
        t.addSuppressed(earlier);
      }
      throw t;
    } finally {
      stall.end();
    }
    addUsed(granted);
    Throwable failure = takeFailedSpill();
    if (failure != null) {
      release(granted);
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }
    return granted;
  }

  private static Throwable takeFailedSpill() {
    Throwable failure = FAILED_SPILL.get();
    FAILED_SPILL.remove();
    return failure;
  }

  /** Gives bytes back to Spark. */
  void release(long bytes) {
    // First Spark, then the figure: a consumer that seems smaller than it is may be passed over,
    // one that seems larger would only be asked to spill in vain.
    taskMemoryManager.releaseExecutionMemory(bytes, this);
    addUsed(-bytes);
  }

  private synchronized void addUsed(long bytes) {
    used += bytes;
  }

  /**
   * Called by Spark, which holds its lock. When the request is one of ours, a failure does not go
   * through Spark, which would forget what it had granted so far: {@link #acquire} throws it.
   */
  @Override
  public long spill(long bytes, MemoryConsumer trigger) {
    if (!(trigger instanceof SparkConsumer)) {
      return spill.applyAsLong(bytes);
    }
    if (FAILED_SPILL.get() != null) {
      return 0;
    }
    try {
      return spill.applyAsLong(bytes);
    } catch (RuntimeException | Error e) {
      FAILED_SPILL.set(e);
      return 0;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
