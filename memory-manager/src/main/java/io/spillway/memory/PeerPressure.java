package io.spillway.memory;

import io.github.resilience4j.core.IntervalFunction;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tasks of one executor asking each other for memory. A request is a flag that the other task
 * honours at its next batch boundary; the asking one waits until memory goes back to Spark or its
 * time is over. The lock is a leaf.
 *
 * <p>Tasks that wait for each other always end: when all that hold memory wait, nobody is left who
 * could give any back, and the youngest of them gives way at once. When one has waited as long as
 * it may, younger ones that wait give way before it does. Young is who has the higher attempt id.
 */
final class PeerPressure {
  private static final long LONGEST_WAIT_MILLIS = 1000;

  private final Collection<TaskMemory> tasks;
  private final IntervalFunction intervals;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Those that wait, by age; guarded by the lock. */
  private final NavigableMap<Long, Waiter> waiters = new TreeMap<>();

  private long generation;

  /** One task that waits. */
  private static final class Waiter {
    private boolean givesWay;
  }

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
   * @param task that waits
   * @param attempt from 1
   * @return false if this task is the one that gives way: it must not wait again
   */
  boolean await(TaskMemory task, int attempt) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(intervals.apply(attempt));
    long[] holders = holders(task);
    if (holders.length == 0) {
      return true;
    }
    Waiter waiter = new Waiter();
    lock.lock();
    try {
      waiting.incrementAndGet();
      waiters.put(task.taskAttemptId(), waiter);
      if (allWait(holders)) {
        youngestGivesWay();
      }
      long seen = generation;
      while (!waiter.givesWay && generation == seen && nanos > 0) {
        nanos = returned.awaitNanos(nanos);
      }
      return !waiter.givesWay;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      waiters.remove(task.taskAttemptId(), waiter);
      waiting.decrementAndGet();
      lock.unlock();
    }
  }

  /**
   * A task has waited as long as it may: the youngest that waits gives way in its stead.
   *
   * @return false if none that waits is younger: this task gives way itself
   */
  boolean makeYoungerGiveWay(TaskMemory task) {
    lock.lock();
    try {
      Long youngest = waiters.isEmpty() ? null : waiters.lastKey();
      if (youngest == null || youngest <= task.taskAttemptId()) {
        return false;
      }
      youngestGivesWay();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Attempt ids of the other tasks that hold memory. */
  private long[] holders(TaskMemory asking) {
    return tasks.stream()
        .filter(task -> task != asking && task.reservedBytes() > 0)
        .mapToLong(TaskMemory::taskAttemptId)
        .toArray();
  }

  private boolean allWait(long[] holders) {
    for (long holder : holders) {
      Waiter waiter = waiters.get(holder);
      // One that has been told to give way is about to return what it holds.
      if (waiter == null || waiter.givesWay) {
        return false;
      }
    }
    return true;
  }

  private void youngestGivesWay() {
    waiters.lastEntry().getValue().givesWay = true;
    returned.signalAll();
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
