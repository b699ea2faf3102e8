package io.spillway.memory;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
final class LedgeredBlock {
  private final BlockHolder owner;

  LedgeredBlock(BlockHolder owner, long address, long bytes, Throwable site) {
    this.owner = owner;
    if (address == bytes) {
      throw new IllegalArgumentException("no block at " + address, site);
    }
  }

  BlockHolder owner() {
    return owner;
  }
}
