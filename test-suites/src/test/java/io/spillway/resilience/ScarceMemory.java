package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.TestBlockId;

/**
 * Less off-heap memory than Spark lets one set (it counts in MiB), so that little data makes an
 * operator spill, and a sweep over every call of it ends in time.
 */
final class ScarceMemory {
  private ScarceMemory() {}

  /** Leaves execution so many bytes of this JVM's Spark: the rest seems to be cached blocks. */
  static void leave(long bytes) {
    MemoryManager memory = SparkEnv.get().memoryManager();
    long total = SparkEnv.get().conf().getSizeAsBytes("spark.memory.offHeap.size", "0");
    long taken = total - bytes - memory.offHeapStorageMemoryUsed();
    if (taken > 0) {
      assertThat(memory.acquireStorageMemory(new TestBlockId("scarce"), taken, MemoryMode.OFF_HEAP))
          .as("%d bytes of storage memory are had", taken)
          .isTrue();
    }
  }
}
