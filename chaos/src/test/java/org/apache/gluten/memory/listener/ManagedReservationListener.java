package org.apache.gluten.memory.listener;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class ManagedReservationListener {
  private long asked;

  /** Grants all. */
  public long reserve(long size) {
    asked += size;
    return size;
  }

  /** Bytes that were really asked for. */
  public long asked() {
    return asked;
  }
}
