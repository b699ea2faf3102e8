package io.spillway.memory;

import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * An operator of the JVM as Spark's arbitration sees one: off-heap, and it can spill all it has.
 */
final class JvmConsumer extends MemoryConsumer {
  private final Runnable onSpill;
  private long spilledBytes;

  JvmConsumer(TaskMemoryManager manager, Runnable onSpill) {
    super(manager, MemoryMode.OFF_HEAP);
    this.onSpill = onSpill;
  }

  /** Like Spark's sorters, it gives what it got back when that is too little. */
  boolean grow(long bytes) {
    long got = acquireMemory(bytes);
    if (got < bytes) {
      freeMemory(got);
      return false;
    }
    return true;
  }

  long spilledBytes() {
    return spilledBytes;
  }

  @Override
  public long spill(long bytes, MemoryConsumer trigger) {
    long held = getUsed();
    if (trigger == this || held == 0) {
      return 0;
    }
    onSpill.run();
    freeMemory(held);
    spilledBytes += held;
    return held;
  }
}
