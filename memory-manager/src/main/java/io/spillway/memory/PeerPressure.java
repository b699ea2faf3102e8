package io.spillway.memory;

import io.github.resilience4j.core.IntervalFunction;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tasks of one executor asking each other for memory. A request is a flag that the other task
 * honours at its next batch boundary; the asking one waits until memory goes back to Spark or its
 * time is over. The lock is a leaf.
 */
final class PeerPressure {
  private static final long LONGEST_WAIT_MILLIS = 1000;

  private final Collection<TaskMemory> tasks;
  private final IntervalFunction intervals;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private long generation;

  /**
   * Pressure among tasks.
   *
   * @param tasks a live view of those that are open
   * @param initialMillis the first wait
   */
  PeerPressure(Collection<TaskMemory> tasks, long initialMillis) {
    this.tasks = tasks;
    this.intervals =
        IntervalFunction.ofExponentialRandomBackoff(
            initialMillis, 2.0, 0.5, Math.max(initialMillis + 1, LONGEST_WAIT_MILLIS));
  }

  /** Asks every other task that has something reserved; false if there is none. */
  boolean ask(TaskMemory asking, long bytes) {
    return askAbove(asking, bytes, 0);
  }

  /** Asks every other task that has more than so much reserved; false if there is none. */
  boolean askAbove(TaskMemory asking, long bytes, long reservedBytes) {
    boolean asked = false;
    for (TaskMemory task : tasks) {
      if (task != asking && task.reservedBytes() > reservedBytes) {
        task.requestSpill(bytes);
        asked = true;
      }
    }
    return asked;
  }

  /**
   * Waits until some task returns memory, the interval of this attempt is over, or the thread is
   * interrupted, in which case the flag is set again.
   *
   * @param attempt from 1
   */
  void await(int attempt) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(intervals.apply(attempt));
    lock.lock();
    try {
      waiting.incrementAndGet();
      long seen = generation;
      while (generation == seen && nanos > 0) {
        nanos = returned.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }

  /** Memory has gone back to Spark. Called with none of our locks held. */
  void memoryReturned() {
    // Unlocked on purpose, this is the path of every release: a waiter that is missed here wakes up
    // by its interval.
    if (waiting.get() > 0) {
      lock.lock();
      try {
        generation++;
        returned.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
