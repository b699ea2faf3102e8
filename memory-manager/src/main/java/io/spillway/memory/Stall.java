package io.spillway.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Threads of one task that stand still where they cannot give way: Spark lets them wait inside a
 * request, or another task builds what they need. What they hold does not come back before somebody
 * else gives way. One that works there does not stand: Spark makes operators of the JVM spill
 * inside a request.
 */
final class Stall {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Map<Thread, Long> sinceNanos = new ConcurrentHashMap<>();

  /** The calling thread may stand still from now on, until {@link #end}. */
  void begin() {
    sinceNanos.put(Thread.currentThread(), System.nanoTime());
  }

  void end() {
    sinceNanos.remove(Thread.currentThread());
  }

  /** The calling thread has done something for others meanwhile. */
  void moved() {
    sinceNanos.computeIfPresent(Thread.currentThread(), (thread, since) -> System.nanoTime());
  }

  /** Whether one has stood so long that it is not just about to go on. */
  boolean isLong() {
    return sinceNanos.keySet().stream().anyMatch(this::isLong);
  }

  /** Whether this thread of the task is one that has stood so long. */
  boolean isLong(Thread thread) {
    return isOld(thread) && thread.getState() != Thread.State.RUNNABLE;
  }

  /** Whether the calling thread has stood so long but for this look around. */
  boolean isLongHere() {
    return isOld(Thread.currentThread());
  }

  private boolean isOld(Thread thread) {
    Long since = sinceNanos.get(thread);
    return since != null && System.nanoTime() - since > LONG_NANOS;
  }
}
