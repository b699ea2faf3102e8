package io.spillway.operator;

import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;

/**
 * A sorted run on disk, read back one page at a time into a block that it owns until {@link
 * #close}. Used by the task's thread alone.
 */
final class SpilledRun implements AutoCloseable {
  private final OperatorMemory memory;
  private final PageReader.Check check;
  private final SpillFile file;
  private final SpillSegment segment;
  private SegmentReader reader;
  private NativeBlock page;
  private boolean loaded;

  SpilledRun(OperatorMemory memory, PageReader.Check check, SpillFile file, SpillSegment segment) {
    this.memory = memory;
    this.check = check;
    this.file = file;
    this.segment = segment;
  }

  SpillFile file() {
    return file;
  }

  /** Whether a page is at hand. */
  boolean isOpen() {
    return loaded;
  }

  /** Brings the first page in if there is memory for it without more than Spark's arbitration. */
  boolean tryOpen() {
    if (!loaded) {
      int capacity = nextCapacity();
      NativeBlock block = memory.tryAllocate(capacity);
      if (block == null) {
        return false;
      }
      page = block;
      load(capacity);
    }
    return true;
  }

  /**
   * Brings the next page in, in the place of the one at hand; this may spill the operator.
   *
   * @return false if there is none
   * @throws SpillException if the file cannot be read or is damaged
   */
  boolean next() {
    loaded = false;
    int capacity = nextCapacity();
    if (capacity < 0) {
      close();
      return false;
    }
    // Not kept if a single large row needed it.
    if (page != null && (page.size() < capacity || page.size() > 4L * capacity)) {
      page.close();
      page = null;
    }
    if (page == null) {
      page = memory.allocate(capacity);
    }
    load(capacity);
    return true;
  }

  /** Address of the page at hand. */
  long page() {
    return page.address();
  }

  private int nextCapacity() {
    try {
      if (reader == null) {
        reader = file.read(segment);
      }
      return reader.nextCapacity();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private void load(int capacity) {
    try {
      reader.readInto(page.address());
    } catch (IOException e) {
      throw unreadable(e);
    }
    check.page(page.address(), capacity);
    loaded = true;
  }

  private SpillException unreadable(IOException e) {
    return new SpillException(
        memory.name() + " could not read a sorted run back: " + e.getMessage(), e);
  }

  /** Gives page and reader back. Idempotent. */
  @Override
  public void close() {
    loaded = false;
    if (reader != null) {
      reader.close();
      reader = null;
    }
    if (page != null) {
      page.close();
      page = null;
    }
  }
}
