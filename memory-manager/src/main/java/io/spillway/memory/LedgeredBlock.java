package io.spillway.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/** One native block as the ledger knows it. Freed exactly once, by whoever claims it first. */
final class LedgeredBlock {
  private final long address;
  private final long bytes;
  private final Throwable site;
  private final AtomicBoolean live = new AtomicBoolean(true);
  private volatile BlockHolder owner;

  LedgeredBlock(BlockHolder owner, long address, long bytes, Throwable site) {
    this.owner = owner;
    this.address = address;
    this.bytes = bytes;
    this.site = site;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  BlockHolder owner() {
    return owner;
  }

  /** The charge has moved; the caller holds reservations of both. */
  void owner(BlockHolder newOwner) {
    owner = newOwner;
  }

  /** Where it was allocated, if sites are recorded, else null. */
  Throwable site() {
    return site;
  }

  boolean isLive() {
    return live.get();
  }

  /** Whether the caller is the one that must free it. */
  boolean claim() {
    return live.compareAndSet(true, false);
  }
}
