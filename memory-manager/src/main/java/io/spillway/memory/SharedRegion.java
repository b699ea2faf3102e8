package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The native memory of one thing that tasks of an executor share. It grows while it is built, by
 * one thread; it is freed as a whole, by whoever evicts it.
 */
public final class SharedRegion implements BlockHolder {
  private final SharedMemory shared;
  private final String name;
  private final List<LedgeredBlock> blocks = new ArrayList<>();
  private final List<StorageCharge> charges = new ArrayList<>();
  private long bytes;
  private boolean closed;

  SharedRegion(SharedMemory shared, String name) {
    this.shared = shared;
    this.name = name;
  }

  /**
   * Takes a block, charged to Spark's storage pool. What no task uses is evicted for it if need be.
   *
   * @param wantedBytes at least 1
   * @return its address; it stays until the whole region is freed. The content is undefined
   * @throws SparkOutOfMemoryError if neither Spark, nor the container, nor the system has room; it
   *     has no cause and names the figures. Everything is as before
   */
  public long allocate(long wantedBytes) {
    if (wantedBytes < 1) {
      throw new IllegalArgumentException("a block needs at least 1 byte, asked for " + wantedBytes);
    }
    long rounded = shared.pages().roundedBytes(wantedBytes);
    StorageCharge charge = shared.charge(name, rounded);
    LedgeredBlock block = null;
    try {
      block = shared.take(this, rounded);
      keep(block, charge);
      return block.address();
    } catch (Throwable t) {
      if (block != null) {
        shared.giveBack(block);
      }
      charge.release();
      throw t;
    }
  }

  private synchronized void keep(LedgeredBlock block, StorageCharge charge) {
    if (closed) {
      throw new IllegalStateException(name + " is closed and takes no more native memory");
    }
    blocks.add(block);
    charges.add(charge);
    bytes += block.bytes();
  }

  /** Bytes in its blocks. */
  public synchronized long bytes() {
    return bytes;
  }

  @Override
  public long taskAttemptId() {
    return MemoryEvent.NO_TASK;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void free(LedgeredBlock block) {
    shared.giveBack(block);
  }

  /** Frees all of it; bytes freed. Idempotent. */
  long close() {
    List<LedgeredBlock> mine;
    List<StorageCharge> charged;
    long freed;
    synchronized (this) {
      closed = true;
      mine = new ArrayList<>(blocks);
      charged = new ArrayList<>(charges);
      freed = bytes;
      blocks.clear();
      charges.clear();
      bytes = 0;
    }
    Closing closing = new Closing();
    for (LedgeredBlock block : mine) {
      closing.run(() -> shared.giveBack(block));
    }
    for (StorageCharge charge : charged) {
      closing.run(charge::release);
    }
    closing.rethrow();
    return freed;
  }
}
