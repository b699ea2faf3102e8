package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent.Rung;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What one task attempt has used, spilled and climbed so far, in bytes. Thread-safe. */
final class TaskFigures {
  private final Map<Rung, AtomicLong> rungs = new ConcurrentHashMap<>();
  private final AtomicLong spilledBytes = new AtomicLong();
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();

  void grew(long bytes) {
    long now = usedBytes.addAndGet(bytes);
    peakBytes.accumulateAndGet(now, Math::max);
  }

  void shrank(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  void spilled(long bytes) {
    spilledBytes.addAndGet(bytes);
  }

  void climbed(Rung rung) {
    rungs.computeIfAbsent(rung, r -> new AtomicLong()).incrementAndGet();
  }

  long usedBytes() {
    return usedBytes.get();
  }

  long peakBytes() {
    return peakBytes.get();
  }

  long spilledBytes() {
    return spilledBytes.get();
  }

  long climbs(Rung rung) {
    AtomicLong count = rungs.get(rung);
    return count == null ? 0 : count.get();
  }
}
