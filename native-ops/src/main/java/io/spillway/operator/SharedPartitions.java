package io.spillway.operator;

import io.spillway.memory.spill.SharedSpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.util.Arrays;
import java.util.List;

/**
 * The build rows of a broadcast join in a spill file that all tasks of an executor share, radix
 * partitioned by the hash of their keys. Written by one task, then never changed. Lives as long as
 * the region that the file belongs to.
 */
final class SharedPartitions implements SharedBuild {
  private final int bits;
  private final long[] rows;
  private final List<List<SpillSegment>> segments;
  private final boolean hasNullKeys;
  private final SharedSpillFile file;

  /**
   * @param bits how many bits of the hash choose the partition
   * @param rows of each partition
   * @param segments of each partition, together all its rows
   * @param file where the segments are
   */
  SharedPartitions(
      int bits,
      long[] rows,
      List<List<SpillSegment>> segments,
      boolean hasNullKeys,
      SharedSpillFile file) {
    this.bits = bits;
    this.rows = rows.clone();
    this.segments = List.copyOf(segments);
    this.hasNullKeys = hasNullKeys;
    this.file = file;
  }

  int bits() {
    return bits;
  }

  long rows(int partition) {
    return rows[partition];
  }

  @Override
  public long rows() {
    return Arrays.stream(rows).sum();
  }

  @Override
  public boolean hasNullKeys() {
    return hasNullKeys;
  }

  List<SpillSegment> segments(int partition) {
    return segments.get(partition);
  }

  SharedSpillFile file() {
    return file;
  }

  @Override
  public String toString() {
    return "SharedPartitions[" + rows.length + " of " + rows() + " rows]";
  }
}
