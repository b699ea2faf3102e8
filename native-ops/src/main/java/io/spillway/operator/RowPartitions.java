package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.MemoryBudget;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.SharedRegion;
import io.spillway.memory.spill.SharedSpillFile;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.unsafe.Platform;

/**
 * The partitions of one store of rows in pages: gives them pages as they grow and spills them, and
 * knows nothing of what the rows hold. Used by the task's thread alone.
 */
final class RowPartitions {
  /** Where pages come from. */
  interface Room {
    /** A block of at least so many bytes; null tells the store to stop and say how far it came. */
    NativeBlock allocate(long bytes);
  }

  /**
   * Addresses of what a kernel leaves behind when it stops for want of room.
   *
   * @param rowsDone of 64 bits: the rows that are in
   * @param partition of 32 bits: the partition that needs a page or an index
   * @param need of 64 bits: bytes of a page, or slots of an index
   */
  record Stop(long rowsDone, long partition, long need) {}

  private static final int LARGEST_PAGE_BYTES = 1 << 20;

  /** A store that finds room again and again and loses it before a row fits would never end. */
  private static final int MOST_TURNS_PER_ROW = 256;

  private final OperatorMemory memory;
  private final Room room;
  private final int smallestPageBytes;
  private final int largestPageBytes;
  private final RowPartition[] partitions;
  private SpillFile spillFile;

  /**
   * @param structs address of {@code 1 << bits} structures {@code spw_partition}, which outlive
   *     this
   * @param rowWidth bytes of a row
   * @param largestPageBytes of a page that holds more than one row
   */
  RowPartitions(
      OperatorContext context,
      Room room,
      long structs,
      int bits,
      int rowWidth,
      int largestPageBytes) {
    this.memory = context.memory();
    this.room = room;
    this.smallestPageBytes = Math.min(largestPageBytes, context.budget().pageBytes());
    this.largestPageBytes = largestPageBytes;
    partitions = new RowPartition[1 << bits];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = new RowPartition(structs + (long) i * Abi.PARTITION_SIZE, rowWidth);
    }
  }

  /** The largest page of a store of so many partitions that spills whole ones. */
  static int largestPageBytes(MemoryBudget budget, int bits) {
    long part = (budget.shareBytes() / 8) >> bits;
    return (int) Math.max(budget.pageBytes(), Math.min(LARGEST_PAGE_BYTES, part));
  }

  RowPartition[] all() {
    return partitions;
  }

  RowPartition get(int number) {
    return partitions[number];
  }

  /**
   * Lets a kernel put rows into the partitions and gives them the pages and indexes that it stops
   * for; this may spill them.
   *
   * @param start the first row that the kernel gets
   * @param kernel goes on from a row; its result is at least 0 at its end, else {@link
   *     Abi#NEEDS_PAGE} or {@link Abi#NEEDS_INDEX}
   * @param stop of that kernel
   * @return what the kernel returned at its end, or the rows that are in if there was no room
   * @throws SparkOutOfMemoryError if room is found, but lost each time before a row is in it
   */
  long fill(long start, LongUnaryOperator kernel, Stop stop) {
    long done = start;
    int turns = 0;
    while (true) {
      long result = kernel.applyAsLong(done);
      if (result >= 0) {
        return result;
      }
      long reached = Platform.getLong(null, stop.rowsDone());
      turns = reached > done ? 0 : turns + 1;
      done = reached;
      if (turns > MOST_TURNS_PER_ROW) {
        throw new SparkOutOfMemoryError(
            memory.name()
                + " loses each page or index before a row is in it: this task's share of off-heap"
                + " memory is too small; raise spark.memory.offHeap.size or lower"
                + " spark.executor.cores");
      }
      RowPartition partition = partitions[Platform.getInt(null, stop.partition())];
      long need = Platform.getLong(null, stop.need());
      if (!(result == Abi.NEEDS_PAGE ? addPage(partition, need) : addIndex(partition, need))) {
        return done;
      }
    }
  }

  private boolean addIndex(RowPartition partition, long slots) {
    boolean hadPages = partition.hasPages();
    NativeBlock index = room.allocate(8 * slots);
    if (index == null) {
      return false;
    }
    if (hadPages && !partition.hasPages()) {
      // Spilled on the way: what it needs now is less, and the kernel will say how much.
      index.close();
    } else {
      partition.setIndex(index, slots);
    }
    return true;
  }

  /**
   * Adds an empty page to a partition, larger the more the partition has; this may spill it.
   *
   * @param needBytes the least capacity
   * @return false if there was no room
   */
  private boolean addPage(RowPartition partition, long needBytes) {
    long directoryBytes = partition.directoryNeedBytes();
    if (directoryBytes > 0) {
      NativeBlock directory = room.allocate(directoryBytes);
      if (directory == null) {
        return false;
      }
      partition.setDirectory(directory);
    }
    long growing = Long.highestOneBit(Math.max(1, partition.bytes() / 4));
    long bytes = Math.max(smallestPageBytes, Math.min(largestPageBytes, growing));
    NativeBlock page = room.allocate(Math.max(bytes, needBytes));
    if (page == null) {
      return false;
    }
    // A row that no page of the usual size could hold is alone in its page.
    partition.addPage(page, needBytes > largestPageBytes ? needBytes : page.size());
    return true;
  }

  /**
   * Adds a page that was read back, which must have no dead rows; no rows may be added afterwards.
   *
   * @param page the partition becomes its owner when this returns
   */
  void adopt(RowPartition partition, NativeBlock page) {
    adopt(partition, page, memory::allocate);
  }

  /** The same with room that may be refused: false then, and the page stays the caller's. */
  boolean adopt(RowPartition partition, NativeBlock page, Room directories) {
    long directoryBytes = partition.directoryNeedBytes();
    if (directoryBytes > 0) {
      NativeBlock directory = directories.allocate(directoryBytes);
      if (directory == null) {
        return false;
      }
      partition.setDirectory(directory);
    }
    partition.addFilledPage(page);
    return true;
  }

  /** Bytes in memory that a spill would free. */
  long bytes() {
    long sum = 0;
    for (RowPartition partition : partitions) {
      sum += partition.bytes();
    }
    return sum;
  }

  /**
   * Spills whole partitions, largest first, until so many bytes are free or nothing is left.
   *
   * @return the bytes freed
   * @throws SpillException if the disk fails; what was not written is still in memory
   */
  long spill(long wanted) {
    long freed = 0;
    while (freed < wanted) {
      RowPartition largest = null;
      for (RowPartition partition : partitions) {
        if (partition.hasPages() && (largest == null || partition.bytes() > largest.bytes())) {
          largest = partition;
        }
      }
      if (largest == null) {
        break;
      }
      freed += spill(largest);
    }
    return freed;
  }

  /** Spills one partition's pages; throws as {@link #spill(long)} does. */
  long spill(RowPartition partition) {
    try {
      return partition.spill(file());
    } catch (IOException e) {
      throw new SpillException(
          memory.name() + " could not spill " + partition.bytes() + " bytes: " + e.getMessage(), e);
    }
  }

  /** Where the spilled partitions are. */
  SpillFile file() {
    if (spillFile == null) {
      spillFile = memory.createSpillFile();
    }
    return spillFile;
  }

  /**
   * Gives what was spilled to those who share the region; it is not read or written here any more.
   *
   * @throws SpillException if the file cannot be ended; it goes with the operator then
   */
  SharedSpillFile handOver(SharedRegion region) {
    try {
      SharedSpillFile shared = region.adopt(file(), memory);
      spillFile = null;
      return shared;
    } catch (IOException e) {
      throw new SpillException(
          memory.name() + " could not end its spill file: " + e.getMessage(), e);
    }
  }

  /** Empties all partitions, the spilled part included. */
  void clear() {
    for (RowPartition partition : partitions) {
      partition.clear();
    }
    if (spillFile != null) {
      spillFile.close();
      spillFile = null;
    }
  }
}
