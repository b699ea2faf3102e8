package io.spillway.operator;

import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/**
 * Reads the pages of spilled segments back, one at a time, each in a block of its own that the
 * caller owns. Used by the task's thread alone.
 */
final class PageReader implements AutoCloseable {
  private final OperatorMemory memory;
  private final Check check;
  private final SpillFile file;
  private final Iterator<SpillSegment> segments;
  private SegmentReader reader;

  /** Refuses a page that contradicts itself. */
  interface Check {
    /**
     * Throws a {@link io.spillway.kernel.KernelException} if the page is not one of the store's.
     */
    void page(long address, int capacity);
  }

  /**
   * @param check of each page before it is handed out
   * @param segments of the file, in this order
   */
  PageReader(OperatorMemory memory, Check check, SpillFile file, List<SpillSegment> segments) {
    this.memory = memory;
    this.check = check;
    this.file = file;
    this.segments = List.copyOf(segments).iterator();
  }

  /**
   * The next page, checked; null at the end.
   *
   * @throws SpillException if the file cannot be read or is damaged
   */
  NativeBlock next() {
    try {
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
    } catch (IOException e) {
      throw new SpillException(
          memory.name() + " could not read spilled pages back: " + e.getMessage(), e);
    }
  }

  private NativeBlock read(int capacity) throws IOException {
    NativeBlock block = memory.allocate(capacity);
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
