package io.spillway.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One native block as the ledger knows it. Freed exactly once, by whoever claims it first. */
@SuppressWarnings("UnusedVariable") // handles read and write the two that may change
final class LedgeredBlock {
  private static final VarHandle OWNER = field("owner", BlockHolder.class);
  private static final VarHandle CLAIMED = field("claimed", boolean.class);

  private final long address;
  private final long bytes;
  private final Throwable site;

  /**
   * Acquired and released, not volatile: making a block needs no fence, the ledger's lock is one.
   */
  private BlockHolder owner;

  private volatile boolean claimed;

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
    return (BlockHolder) OWNER.getAcquire(this);
  }

  /** The charge has moved; the caller holds reservations of both. */
  void owner(BlockHolder newOwner) {
    OWNER.setRelease(this, newOwner);
  }

  /** Where it was allocated, if sites are recorded, else null. */
  Throwable site() {
    return site;
  }

  boolean isLive() {
    return !claimed;
  }

  /** Whether the caller is the one that must free it. */
  boolean claim() {
    return CLAIMED.compareAndSet(this, false, true);
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(LedgeredBlock.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
