package io.spillway.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.TestBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Native bytes that belong to no task, charged to Spark's off-heap storage pool, where Spark's own
 * cached blocks are charged too. Spark may drop cached blocks to make room for them, but never
 * drops them: it knows no block of that name.
 */
final class StorageCharge {
  private static final Logger LOG = LoggerFactory.getLogger(StorageCharge.class);

  private final MemoryManager spark;
  private final long bytes;
  private final AtomicBoolean held;

  private StorageCharge(MemoryManager spark, long bytes, boolean held) {
    this.spark = spark;
    this.bytes = bytes;
    this.held = new AtomicBoolean(held);
  }

  /**
   * Charges bytes; with no lock of ours held, as Spark may write cached blocks to disk meanwhile.
   *
   * @param spark whose pool it is; null if Spark is gone, then nothing is charged
   * @param name as it may stand in Spark's log
   * @param bytes to be charged; in a quarantine they exist already
   * @return the charge; see {@link #isHeld}
   */
  static StorageCharge of(MemoryManager spark, String name, long bytes) {
    return new StorageCharge(spark, bytes, spark != null && acquire(spark, name, bytes));
  }

  private static boolean acquire(MemoryManager spark, String name, long bytes) {
    try {
      return spark.acquireStorageMemory(
          new TestBlockId("spillway_" + name), bytes, MemoryMode.OFF_HEAP);
    } catch (Exception | Error e) {
      // Spark may have to write cached blocks to disk first, or be about to stop: then classes may
      // be gone. Whoever holds bytes that exist already must go on.
      LOG.warn("Spark did not count {} bytes of {}", bytes, name, e);
      return false;
    }
  }

  /** Whether Spark counts them; false if its pool had no room. */
  boolean isHeld() {
    return held.get();
  }

  /** Gives the charge back. Idempotent. */
  void release() {
    if (held.compareAndSet(true, false)) {
      spark.releaseStorageMemory(bytes, MemoryMode.OFF_HEAP);
    }
  }
}
