package io.spillway.memory;

import io.github.resilience4j.core.IntervalFunction;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  static final long LONGEST_WAIT_MILLIS = 1000;

  private final Collection<TaskMemory> tasks;
  private final IntervalFunction intervals;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Those that wait at this moment; guarded by the lock. */
  private final Set<TaskMemory> waiters = new HashSet<>();

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
        task.spilling().request(bytes);
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
   * @param othersToo whether something else than tasks may make room too, so that it is worth
   *     waiting even if no other task could
   * @return false if this task is the one that gives way: it must not wait again
   */
  boolean await(TaskMemory task, int attempt, boolean othersToo) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(intervals.apply(attempt));
    List<TaskMemory> holders = holders(task);
    if (holders.isEmpty() && !othersToo) {
      return true;
    }
    lock.lock();
    try {
      waiting.incrementAndGet();
      waiters.add(task);
      if (!othersToo
          && holders.stream().allMatch(holder -> waiters.contains(holder) && holder.isWaiting())) {
        giveWay(youngest(waiters));
      }
      long seen = generation;
      while (task.isWaiting() && generation == seen && nanos > 0) {
        nanos = returned.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiters.remove(task);
      waiting.decrementAndGet();
      lock.unlock();
    }
    return task.isWaiting();
  }

  /**
   * A task has waited as long as it may: the youngest that waits gives way in its stead, unless a
   * younger one has given way just now and is still returning what it holds.
   *
   * @return false if there is none: this task gives way itself
   */
  boolean makeYoungerGiveWay(TaskMemory task) {
    List<TaskMemory> younger =
        tasks.stream().filter(each -> each.taskAttemptId() > task.taskAttemptId()).toList();
    if (younger.stream().anyMatch(TaskMemory::hasGivenWay)) {
      return true;
    }
    List<TaskMemory> waitingOnes = younger.stream().filter(TaskMemory::isWaiting).toList();
    if (waitingOnes.isEmpty()) {
      return false;
    }
    lock.lock();
    try {
      giveWay(youngest(waitingOnes));
    } finally {
      lock.unlock();
    }
    return true;
  }

  private List<TaskMemory> holders(TaskMemory asking) {
    return tasks.stream().filter(task -> task != asking && task.reservedBytes() > 0).toList();
  }

  private static TaskMemory youngest(Collection<TaskMemory> some) {
    return Collections.max(some, Comparator.comparingLong(TaskMemory::taskAttemptId));
  }

  private void giveWay(TaskMemory task) {
    task.giveWay();
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
