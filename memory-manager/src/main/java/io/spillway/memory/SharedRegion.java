package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.spill.SharedSpillFile;
import io.spillway.memory.spill.SpillFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The native memory of one thing that tasks of an executor share, and its files if it is too large
 * for that. It grows while it is built, by one thread; it is freed as a whole, by whoever evicts
 * it.
 */
public final class SharedRegion implements BlockHolder {
  private final SharedMemory shared;
  private final String name;
  private final List<LedgeredBlock> blocks = new ArrayList<>();
  private final List<StorageCharge> charges = new ArrayList<>();
  private final List<SharedSpillFile> files = new ArrayList<>();
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

  /**
   * Takes a spill file over from the operator that has written it: from now on it is deleted with
   * this region, and not at the end of that operator. What was written stays counted as that
   * operator's.
   *
   * @param file of that operator, with no segment open; it must not be used any more
   * @return the file, for views of it
   * @throws IOException if a descriptor cannot be closed; the operator deletes the file then
   * @throws IllegalStateException if the file is not that operator's, or is closed
   */
  public SharedSpillFile adopt(SpillFile file, OperatorMemory writer) throws IOException {
    SharedSpillFile shared = file.share();
    synchronized (this) {
      requireOpen();
      files.add(shared);
      if (!writer.giveUp(file)) {
        files.remove(shared);
        throw new IllegalStateException(
            name + " cannot take over a spill file that is not an open one of " + writer.owner());
      }
    }
    return shared;
  }

  /**
   * Frees all that it has so far, so that its builder can begin anew, in another way. By the
   * builder only.
   */
  public void clear() {
    free(false);
  }

  private synchronized void keep(LedgeredBlock block, StorageCharge charge) {
    requireOpen();
    blocks.add(block);
    charges.add(charge);
    bytes += block.bytes();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(name + " is closed and takes no more native memory");
    }
  }

  /** Whether something of it is on disk. */
  synchronized boolean hasFiles() {
    return !files.isEmpty();
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

  /** Frees all of it and deletes its files; bytes of memory freed. Idempotent. */
  long close() {
    return free(true);
  }

  private long free(boolean forGood) {
    List<LedgeredBlock> mine;
    List<StorageCharge> charged;
    List<SharedSpillFile> written;
    long freed;
    synchronized (this) {
      closed |= forGood;
      mine = new ArrayList<>(blocks);
      charged = new ArrayList<>(charges);
      written = new ArrayList<>(files);
      freed = bytes;
      blocks.clear();
      charges.clear();
      files.clear();
      bytes = 0;
    }
    Closing closing = new Closing();
    for (LedgeredBlock block : mine) {
      closing.run(() -> shared.giveBack(block));
    }
    for (StorageCharge charge : charged) {
      closing.run(charge::release);
    }
    for (SharedSpillFile file : written) {
      closing.run(file::close);
    }
    closing.rethrow();
    return freed;
  }
}
