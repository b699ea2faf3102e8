package io.spillway.memory;

import java.util.function.Supplier;
import org.apache.spark.memory.MemoryManager;

/**
 * Spark's pool of off-heap memory as it stands at this moment: what it would grant a task without
 * spilling anything. An estimate, because other tasks go on meanwhile; asked so that a request for
 * more than is needed is not what makes an operator of the task spill.
 */
final class SparkPool {
  private final Supplier<MemoryManager> manager;
  private final long sizeBytes;
  private final long storageBytes;

  /**
   * The pool of one executor.
   *
   * @param manager Spark's, or null as long as there is none
   * @param sizeBytes of the pool
   * @param storageBytes of these, what storage keeps although tasks want it
   */
  SparkPool(Supplier<MemoryManager> manager, long sizeBytes, long storageBytes) {
    this.manager = manager;
    this.sizeBytes = sizeBytes;
    this.storageBytes = storageBytes;
  }

  /** The most that one of so many tasks may hold, beside what storage holds and may keep. */
  long shareBytes(int tasks) {
    MemoryManager spark = manager.get();
    long stored = spark == null ? 0 : Math.min(spark.offHeapStorageMemoryUsed(), storageBytes);
    return (sizeBytes - stored) / Math.max(1, tasks);
  }

  /** What a task that holds so much would be granted at once. */
  long grantableBytes(long heldBytes, int tasks) {
    return Math.max(0, Math.min(shareBytes(tasks) - heldBytes, freeBytes()));
  }

  /** Charges bytes that belong to no task, as far as Spark has room; see {@link StorageCharge}. */
  StorageCharge chargeStorage(String name, long bytes) {
    return StorageCharge.of(manager.get(), name, bytes);
  }

  /** What tasks hold, on their operators' behalf and on those of the JVM. */
  long executionBytes() {
    MemoryManager spark = manager.get();
    return spark == null ? 0 : spark.offHeapExecutionMemoryUsed();
  }

  /** What nobody has taken, of what storage could have. */
  long freeBytes() {
    MemoryManager spark = manager.get();
    return spark == null
        ? sizeBytes
        : spark.maxOffHeapStorageMemory() - spark.offHeapStorageMemoryUsed();
  }
}
