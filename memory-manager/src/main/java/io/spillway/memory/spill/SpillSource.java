package io.spillway.memory.spill;

import java.io.IOException;

/** Where finished segments are read from. One thread at a time. */
public sealed interface SpillSource extends AutoCloseable permits SpillFile, SpillView {
  /**
   * Reads a finished segment from its first frame.
   *
   * @param segment of the file
   * @return its reader; the caller closes it
   * @throws SpillException if codec or cipher cannot start, because there is damage
   * @throws IOException if the file cannot be opened, the task is being killed, or this was closed
   *     meanwhile
   * @throws IllegalStateException if this is closed
   */
  SegmentReader read(SpillSegment segment) throws IOException;

  /** Whether {@link #close} was called. */
  boolean isClosed();

  /** Nothing can be read any more. Idempotent. */
  @Override
  void close();
}
