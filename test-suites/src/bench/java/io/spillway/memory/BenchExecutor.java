package io.spillway.memory;

import io.spillway.memory.event.MemoryEventListener;
import io.spillway.memory.guard.ContainerGuard;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;

/** An executor of two task slots with Spark's real memory manager and the real container guard. */
final class BenchExecutor implements AutoCloseable {
  private static final int SLOTS = 2;
  private static final long HEAP_POOL_BYTES = 64L << 20;

  private final MemoryManager spark;
  private final ExecutorMemory executor;
  private final AtomicLong attempts = new AtomicLong();

  /**
   * An executor that listens to nothing.
   *
   * @param offHeapBytes Spark's off-heap memory
   * @param pages where native memory comes from
   */
  BenchExecutor(long offHeapBytes, PageSource pages) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.master", "local[" + SLOTS + "]")
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", Long.toString(offHeapBytes));
    MemorySettings settings = MemorySettings.fromConf(conf);
    spark = new UnifiedMemoryManager(conf, HEAP_POOL_BYTES, HEAP_POOL_BYTES / 2, SLOTS);
    MemoryEventListener deaf = event -> {};
    executor =
        new ExecutorMemory(
            settings, deaf, pages, () -> spark, ContainerGuard.ofThisProcess(settings.guard()));
  }

  /** A task that has started; {@link #open} gives it memory. */
  BenchTask task() {
    return new BenchTask(spark, attempts.getAndIncrement());
  }

  /** The scope of a task of the calling thread. */
  TaskMemory open(BenchTask task) {
    return executor.openTask(task.context());
  }

  /** Throws unless nothing native is left, here and in Spark's books. */
  void requireEmpty() {
    MemorySnapshot left = executor.snapshot();
    long sparkBytes = spark.offHeapExecutionMemoryUsed();
    if (left.usedBytes() != 0 || left.blocks() != 0 || sparkBytes != 0) {
      throw new IllegalStateException(left + " is left, Spark counts " + sparkBytes + " bytes");
    }
  }

  @Override
  public void close() {
    executor.close();
  }
}
