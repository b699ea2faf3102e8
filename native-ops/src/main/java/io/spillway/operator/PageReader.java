package io.spillway.operator;

import io.spillway.kernel.KernelException;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillSegment;
import io.spillway.memory.spill.SpillSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;
import java.util.List;

/**
 * Reads the pages of spilled segments back, one at a time, each in a block of its own that the
 * caller owns. Used by the task's thread alone.
 */
final class PageReader implements AutoCloseable {
  private final OperatorMemory memory;
  private final Check check;
  private final SpillSource file;
  private final Iterator<SpillSegment> segments;
  private final RowPartitions.Room room;
  private final Runnable damaged;
  private SegmentReader reader;

  /** Refuses a page that contradicts itself. */
  interface Check {
    /** Throws a {@link KernelException} if the page is not one of the store's. */
    void page(long address, int capacity);
  }

  /**
   * @param check of each page before it is handed out
   * @param segments of the file, in this order
   */
  PageReader(OperatorMemory memory, Check check, SpillSource file, List<SpillSegment> segments) {
    this(memory, check, file, segments, memory::allocate, () -> {});
  }

  /**
   * The same with room that may be refused.
   *
   * @param damaged told before the exception is thrown if the file is damaged or cannot be read,
   *     unless that is because the task is being killed
   */
  PageReader(
      OperatorMemory memory,
      Check check,
      SpillSource file,
      List<SpillSegment> segments,
      RowPartitions.Room room,
      Runnable damaged) {
    this.memory = memory;
    this.check = check;
    this.file = file;
    this.segments = List.copyOf(segments).iterator();
    this.room = room;
    this.damaged = damaged;
  }

  /**
   * The next page, checked; null at the end, or if the room for it was refused.
   *
   * @throws SpillException if the file cannot be read or is damaged
   */
  NativeBlock next() {
    try {
      return tryNext();
    } catch (ClosedChannelException e) {
      throw unread(e);
    } catch (IOException e) {
      damaged.run();
      throw unread(e);
    } catch (SpillException | KernelException e) {
      damaged.run();
      throw e;
    }
  }

  private SpillException unread(IOException e) {
    return new SpillException(
        memory.name() + " could not read spilled pages back: " + e.getMessage(), e);
  }

  /** Whether every page was handed out. */
  boolean isAtEnd() {
    return reader == null && !segments.hasNext();
  }

  private NativeBlock tryNext() throws IOException {
    while (true) {
      if (reader == null) {
        if (!segments.hasNext()) {
          return null;
        }
        reader = file.read(segments.next());
      }
      int capacity = reader.nextCapacity();
      if (capacity >= 0) {
        return read(capacity);
      }
      reader.close();
      reader = null;
    }
  }

  private NativeBlock read(int capacity) throws IOException {
    NativeBlock block = room.allocate(capacity);
    if (block == null) {
      return null;
    }
    boolean complete = false;
    try {
      reader.readInto(block.address());
      check.page(block.address(), capacity);
      complete = true;
      return block;
    } finally {
      if (!complete) {
        block.close();
      }
    }
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
