package io.spillway.testing.internal;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySnapshot;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Spillway's ledger, where its plugin runs: bytes, blocks and open scopes of tasks. What tasks
 * share and none uses is evicted first: it may stay, so it says nothing of a leak.
 */
final class LedgerLeftovers implements Leftovers {
  @Override
  public Set<String> now() {
    Set<String> left = new TreeSet<>();
    Optional<ExecutorMemory> installed = ExecutorMemory.installed();
    if (installed.isEmpty()) {
      return left;
    }
    installed.get().shared().evictUnused(Long.MAX_VALUE);
    MemorySnapshot ledger = installed.get().snapshot();
    if (ledger.usedBytes() != 0 || ledger.blocks() != 0) {
      left.add(
          "%d bytes in %d blocks of Spillway's ledger %s"
              .formatted(ledger.usedBytes(), ledger.blocks(), ledger.owners()));
    }
    if (ledger.reservedBytes() != 0) {
      left.add(ledger.reservedBytes() + " bytes that Spillway has reserved with Spark");
    }
    if (ledger.openTasks() != 0) {
      left.add(ledger.openTasks() + " open task scopes of Spillway");
    }
    if (ledger.leakedBytes() != 0) {
      left.add(
          "%d bytes that successful tasks leaked %s"
              .formatted(ledger.leakedBytes(), ledger.owners()));
    }
    return left;
  }
}
