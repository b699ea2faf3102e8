package io.spillway.memory;

import java.util.function.LongUnaryOperator;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/** One operator as Spark's arbitration and its memory-usage dump see it. */
final class SparkConsumer extends MemoryConsumer {
  private final String name;
  private final LongUnaryOperator spill;

  /**
   * An off-heap consumer.
   *
   * @param manager of the task attempt
   * @param name of the operator
   * @param spill asked for bytes, answers the bytes given back to Spark
   */
  SparkConsumer(TaskMemoryManager manager, String name, LongUnaryOperator spill) {
    super(manager, MemoryMode.OFF_HEAP);
    this.name = name;
    this.spill = spill;
  }

  /** Asks Spark, which may spill consumers of this task meanwhile; returns what it granted. */
  long acquire(long bytes) {
    long granted = taskMemoryManager.acquireExecutionMemory(bytes, this);
    addUsed(granted);
    return granted;
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

  /** Called by Spark, which holds its lock. */
  @Override
  public long spill(long bytes, MemoryConsumer trigger) {
    return spill.applyAsLong(bytes);
  }

  @Override
  public String toString() {
    return name;
  }
}
