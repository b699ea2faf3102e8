package io.spillway.operator;

import io.spillway.memory.NativeBlock;
import io.spillway.memory.spill.SpillSegment;

/**
 * A page of a {@link RowTape}: in memory, on disk, or both while it is read back. The tape owns its
 * block.
 */
final class TapePage {
  /** The number of its first row. */
  final long first;

  final int rows;

  /** Null while it is on disk only. */
  NativeBlock block;

  /** Null until it was written. */
  SpillSegment segment;

  /** How many cursors read it. */
  int readers;

  TapePage(long first, int rows, NativeBlock block) {
    this.first = first;
    this.rows = rows;
    this.block = block;
  }

  /** The number behind its last row's. */
  long end() {
    return first + rows;
  }

  /** Bytes that it holds in memory and nobody reads. */
  long idleBytes() {
    return block == null || readers > 0 ? 0 : block.size();
  }

  void free() {
    if (block != null) {
      block.close();
      block = null;
    }
  }
}
