package io.spillway.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that others want of one task, whose threads each spill what they work with themselves. A
 * thread takes the request, and puts back what it did not have for those that come after it; it
 * finds the rest no more itself. From any thread.
 */
final class SpillRequest {
  private final AtomicLong bytes = new AtomicLong();

  /** Those that have spilled what they had since others asked last. */
  private final Set<Thread> answered = ConcurrentHashMap.newKeySet();

  /** So many bytes at least. */
  void atLeast(long wanted) {
    answered.clear();
    bytes.accumulateAndGet(wanted, Math::max);
  }

  /** So many bytes, whatever was wanted before; 0 takes the request back. */
  void set(long wanted) {
    answered.clear();
    bytes.set(wanted);
  }

  /** Whether the calling thread has something to take. */
  boolean isOpenHere() {
    return bytes.get() > 0 && !answered.contains(Thread.currentThread());
  }

  /** All of it, for the calling thread to spill; 0 if there is nothing for it. */
  long take() {
    return isOpenHere() ? bytes.getAndSet(0) : 0;
  }

  /** What the calling thread could not spill of what it took. */
  void putBack(long rest) {
    answered.add(Thread.currentThread());
    bytes.accumulateAndGet(rest, Math::max);
  }
}
