package io.spillway.memory.spill;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class SpillFile implements AutoCloseable {
  private boolean closed;

  @Override
  public void close() {
    closed = true;
  }

  /** Whether it was really closed. */
  public boolean isClosed() {
    return closed;
  }
}
