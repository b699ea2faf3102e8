package io.spillway.memory.spill;

/**
 * A spill file that one task has written and others read: no longer its writer's, but of what the
 * tasks of an executor share. Made by {@link SpillFile#share()}. It is never written again, so any
 * number of threads may read it, each through a {@link SpillView} of its own. Thread-safe.
 */
public final class SharedSpillFile implements AutoCloseable {
  private final SpillFile file;

  SharedSpillFile(SpillFile file) {
    this.file = file;
  }

  /**
   * Starts to read, for one task. Opens no descriptor yet.
   *
   * @return a view, which the caller closes
   */
  public SpillView view() {
    return new SpillView(file);
  }

  /** Bytes of its segments, as stored: after compression and encryption. */
  public long bytesWritten() {
    return file.bytesWritten();
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return file.isClosed();
  }

  /**
   * Deletes what is on disk, whoever reads it. A file that cannot be deleted is logged. Idempotent.
   */
  @Override
  public void close() {
    file.close();
  }
}
