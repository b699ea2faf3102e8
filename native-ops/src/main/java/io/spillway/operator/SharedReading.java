package io.spillway.operator;

import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.SharedLease;
import io.spillway.memory.spill.SpillSegment;
import io.spillway.memory.spill.SpillView;
import java.util.List;

/**
 * One task's reading of {@link SharedPartitions}. Where it finds damage, no further task gets them:
 * this one fails, and the next that wants them writes them anew. Used by the task's thread alone.
 */
final class SharedReading implements AutoCloseable {
  private final OperatorMemory memory;
  private final SharedPartitions partitions;
  private final SharedLease<?> lease;
  private final SpillView view;

  /** What may be loaded even if others must spill for it. */
  private final long owedBytes;

  /**
   * @param lease of the partitions, which the caller closes, after this
   */
  SharedReading(OperatorContext context, SharedPartitions partitions, SharedLease<?> lease) {
    this.memory = context.memory();
    this.owedBytes = context.budget().shareBytes() / 2;
    this.partitions = partitions;
    this.lease = lease;
    this.view = memory.read(partitions.file());
  }

  SharedPartitions partitions() {
    return partitions;
  }

  /** Reads segments of the partitions into blocks of the task. */
  PageReader reader(PageReader.Check check, List<SpillSegment> segments, RowPartitions.Room room) {
    return new PageReader(memory, check, view, segments, room, lease::forget);
  }

  /**
   * Reads one partition into a store of as many: half of what the operator can count on is loaded
   * in any case, and beyond that as long as nobody has to spill for it. The operator itself is not
   * spilled meanwhile.
   *
   * @return false if there was no room; nothing of it is in memory then
   */
  boolean load(RowStore store, int number) {
    return memory.withoutSpilling(() -> loadAll(store, number));
  }

  private boolean loadAll(RowStore store, int number) {
    RowPartition partition = store.partitions().get(number);
    try (PageReader pages = reader(store::checkPage, partitions.segments(number), this::room)) {
      NativeBlock page = pages.next();
      while (page != null && store.partitions().adopt(partition, page, this::room)) {
        page = pages.next();
      }
      if (page == null && pages.isAtEnd()) {
        return true;
      }
      if (page != null) {
        page.close();
      }
      partition.dropPages();
      return false;
    }
  }

  private NativeBlock room(long bytes) {
    boolean owed = memory.usedBytes() + bytes <= owedBytes;
    return owed || memory.hasRoom(bytes) ? memory.tryAllocate(bytes) : null;
  }

  @Override
  public void close() {
    view.close();
  }
}
