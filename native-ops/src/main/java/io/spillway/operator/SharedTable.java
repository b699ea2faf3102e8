package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.JoinAbi;
import io.spillway.kernel.JoinKernels;
import io.spillway.kernel.Kernels;
import io.spillway.memory.SharedRegion;
import org.apache.spark.unsafe.Platform;

/**
 * The build rows of a broadcast join in one partition with its index, in memory that all tasks of
 * an executor share. Filled by one task, then never changed; a table whose rows have to be marked
 * cannot be shared. Lives as long as its region.
 */
final class SharedTable implements ProbeTable, SharedBuild {
  private static final long SMALLEST_PAGE_BYTES = 16 * 1024;
  private static final long LARGEST_PAGE_BYTES = 1 << 20;
  private static final int FIRST_DIRECTORY_PAGES = 64;

  private final SharedRegion region;
  private final long struct;
  private long directory;
  private int directoryPages;
  private int pages;
  private long pageBytes = SMALLEST_PAGE_BYTES;
  private boolean hasNullKeys;

  SharedTable(SharedRegion region) {
    this.region = region;
    struct = region.allocate(Abi.PARTITION_SIZE);
    Platform.setMemory(struct, (byte) 0, Abi.PARTITION_SIZE);
  }

  /**
   * Bytes that a table takes, about.
   *
   * @param imageBytes of the rows on their way, of which strings are a part
   */
  static long estimateBytes(long rows, int rowWidth, long imageBytes) {
    return rows * rowWidth + imageBytes + 8 * JoinTable.slotsFor(rows);
  }

  // ---- filling, by one thread

  /** Adds an empty page that has room for so many bytes at the least. */
  void addPage(long needBytes) {
    if (pages == directoryPages) {
      growDirectory();
    }
    long bytes = Math.max(pageBytes, needBytes);
    pageBytes = Math.min(LARGEST_PAGE_BYTES, 2 * pageBytes);
    long page = region.allocate(bytes);
    Kernels.pageInit(page, (int) Math.min(bytes & ~7L, 1 << 30));
    Platform.putLong(null, directory + 8L * pages, page);
    pages++;
    Platform.putInt(null, struct + Abi.PARTITION_NPAGES, pages);
  }

  /** The old directory stays in the region, which gives nothing back before its end. */
  private void growDirectory() {
    int larger = Math.max(FIRST_DIRECTORY_PAGES, 4 * directoryPages);
    long address = region.allocate(8L * larger);
    Platform.copyMemory(null, directory, null, address, 8L * pages);
    directory = address;
    directoryPages = larger;
    Platform.putLong(null, struct + Abi.PARTITION_PAGES, directory);
  }

  /** A row with a null key was left out. */
  void addNullKey() {
    hasNullKeys = true;
  }

  /**
   * Ends the filling.
   *
   * @param frame of the task that has filled it
   * @param join address of a {@code spw_join} to work with, which is not needed afterwards
   */
  void filled(JoinFrame frame, long join) {
    if (rows() == 0) {
      return;
    }
    long slots = JoinTable.slotsFor(rows());
    long index = region.allocate(8 * slots);
    Platform.setMemory(index, (byte) 0, 8 * slots);
    Platform.putLong(null, struct + Abi.PARTITION_INDEX, index);
    Platform.putLong(null, struct + Abi.PARTITION_INDEX_SLOTS, slots);
    describe(join, frame);
    for (int page = 0; page < pages; page++) {
      JoinKernels.index(join, 0, page);
    }
  }

  // ---- looking up, by any number of threads

  @Override
  public long rows() {
    return Platform.getLong(null, struct + Abi.PARTITION_ROWS);
  }

  @Override
  public boolean hasNullKeys() {
    return hasNullKeys;
  }

  @Override
  public void describe(long join, JoinFrame frame) {
    RowLayout layout = frame.buildLayout();
    JoinSpec spec = frame.spec();
    Platform.setMemory(join, (byte) 0, JoinAbi.JOIN_SIZE);
    Platform.putLong(null, join + JoinAbi.JOIN_KEY_LAYOUT, layout.address());
    Platform.putLong(null, join + JoinAbi.JOIN_PARTITIONS, struct);
    Platform.putInt(null, join + JoinAbi.JOIN_NKEYS, spec.keys());
    Platform.putInt(null, join + JoinAbi.JOIN_ROW_WIDTH, layout.rowWidth());
    Platform.putInt(null, join + JoinAbi.JOIN_LINK_OFFSET, layout.offset(spec.linkColumn()));
  }

  @Override
  public long structs() {
    return struct;
  }

  @Override
  public int partitions() {
    return 1;
  }

  @Override
  public int partitionOf(long hash) {
    return 0;
  }

  @Override
  public long absent() {
    return 0;
  }

  @Override
  public void index(int number, long slots) {
    throw new IllegalStateException("a shared table has its index from the start");
  }

  @Override
  public String toString() {
    return "SharedTable[" + region.name() + "]";
  }
}
