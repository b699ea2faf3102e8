package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * One radix partition of a row store: its pages in memory with their hash index, and what of it was
 * spilled. Rows of one partition that lie in memory at the same time never repeat a group; rows of
 * different segments may.
 *
 * <p>Mirrors a {@code spw_partition} that the kernels read and write. Owns its blocks until {@link
 * #clear()}. Used by the task's thread alone.
 */
final class RowPartition {
  private static final int SMALLEST_DIRECTORY_PAGES = 16;

  private final long struct;
  private final int rowWidth;
  private final Deque<NativeBlock> pages = new ArrayDeque<>();
  private final List<SpillSegment> segments = new ArrayList<>();
  private NativeBlock directory;
  private NativeBlock index;
  private long pageBytes;

  /**
   * @param struct address of this partition's {@code spw_partition}
   * @param rowWidth bytes of a row
   */
  RowPartition(long struct, int rowWidth) {
    this.struct = struct;
    this.rowWidth = rowWidth;
    Platform.setMemory(struct, (byte) 0, Abi.PARTITION_SIZE);
  }

  /** Bytes in memory that a spill would free. */
  long bytes() {
    return pageBytes + (index == null ? 0 : index.size());
  }

  boolean hasPages() {
    return !pages.isEmpty();
  }

  /** Pages in memory. */
  int pages() {
    return pages.size();
  }

  /** Rows of a page in memory. */
  int pageRows(int number) {
    long page = Platform.getLong(null, directory.address() + 8L * number);
    return Platform.getInt(null, page + Abi.PAGE_ROWS);
  }

  /** Rows in memory, dead ones not counted. */
  long rows() {
    return Platform.getLong(null, struct + Abi.PARTITION_ROWS);
  }

  List<SpillSegment> segments() {
    return segments;
  }

  /** Whether no group can occur twice: all rows are in memory, or all in one segment. */
  boolean isUnique() {
    return segments.isEmpty() || (segments.size() == 1 && pages.isEmpty());
  }

  /** Bytes the page directory needs for one page more; 0 if it has room. */
  long directoryNeedBytes() {
    int capacity = directory == null ? 0 : (int) (directory.size() / 8);
    return pages.size() < capacity ? 0 : 8L * Math.max(SMALLEST_DIRECTORY_PAGES, 2 * capacity);
  }

  /** Replaces the page directory by a larger one, of which it becomes the owner. */
  void setDirectory(NativeBlock larger) {
    if (directory != null) {
      Platform.copyMemory(null, directory.address(), null, larger.address(), 8L * pages.size());
      directory.close();
    }
    directory = larger;
    Platform.putLong(null, struct + Abi.PARTITION_PAGES, larger.address());
  }

  /**
   * Adds an empty page, of which it becomes the owner; the directory must have room.
   *
   * @param usedBytes how much of the block the page takes
   */
  void addPage(NativeBlock page, long usedBytes) {
    int capacity = (int) Math.min(usedBytes & ~7L, 1 << 30);
    Kernels.pageInit(page.address(), capacity);
    append(page);
  }

  /**
   * Adds a page that was read back, of which it becomes the owner; the directory must have room. No
   * rows may be added afterwards.
   */
  void addFilledPage(NativeBlock page) {
    append(page);
    long rows = rows() + Platform.getInt(null, page.address() + Abi.PAGE_ROWS);
    Platform.putLong(null, struct + Abi.PARTITION_ROWS, rows);
  }

  private void append(NativeBlock page) {
    Platform.putLong(null, directory.address() + 8L * pages.size(), page.address());
    pages.addLast(page);
    pageBytes += page.size();
    Platform.putInt(null, struct + Abi.PARTITION_NPAGES, pages.size());
  }

  /** Takes over an index block of at least {@code slots} slots and fills it from the pages. */
  void setIndex(NativeBlock block, long slots) {
    placeIndex(block, slots);
    Kernels.indexBuild(struct, rowWidth);
  }

  /** Takes over an index block of at least {@code slots} slots, which the caller fills. */
  void placeIndex(NativeBlock block, long slots) {
    dropIndex();
    index = block;
    Platform.putLong(null, struct + Abi.PARTITION_INDEX, block.address());
    Platform.putLong(null, struct + Abi.PARTITION_INDEX_SLOTS, slots);
  }

  /** Frees the index; it can be rebuilt from the pages. */
  void dropIndex() {
    Platform.putLong(null, struct + Abi.PARTITION_INDEX, 0);
    Platform.putLong(null, struct + Abi.PARTITION_INDEX_SLOTS, 0);
    Platform.putLong(null, struct + Abi.PARTITION_INDEX_USED, 0);
    if (index != null) {
      index.close();
      index = null;
    }
  }

  /**
   * Takes the first page out; the caller owns it. Only for reading the partition out: no rows may
   * be added any more.
   */
  NativeBlock takePage() {
    dropIndex();
    NativeBlock page = pages.removeFirst();
    pageBytes -= page.size();
    return page;
  }

  /**
   * Writes all pages as one segment and frees them.
   *
   * @return the bytes freed
   */
  long spill(SpillFile file) throws IOException {
    long freed = bytes();
    try (SegmentWriter writer = file.newSegment()) {
      for (NativeBlock page : pages) {
        RowPages.write(writer, page.address(), rowWidth);
      }
      segments.add(writer.finish());
    }
    freePages();
    return freed;
  }

  /** Frees the pages; their rows are not wanted any more. */
  void dropPages() {
    freePages();
  }

  /** Frees everything in memory and forgets the segments. */
  void clear() {
    freePages();
    segments.clear();
    if (directory != null) {
      directory.close();
      directory = null;
    }
    Platform.putLong(null, struct + Abi.PARTITION_PAGES, 0);
  }

  private void freePages() {
    dropIndex();
    pages.forEach(NativeBlock::close);
    pages.clear();
    pageBytes = 0;
    Platform.putInt(null, struct + Abi.PARTITION_NPAGES, 0);
    Platform.putLong(null, struct + Abi.PARTITION_ROWS, 0);
  }
}
