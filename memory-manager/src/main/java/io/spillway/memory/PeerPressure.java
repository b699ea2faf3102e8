package io.spillway.memory;

import static java.util.stream.Collectors.toSet;

import io.github.resilience4j.core.IntervalFunction;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Tasks of one executor asking each other for memory. A request is a flag that the other task
 * honours at its next batch boundary; the asking one waits until memory goes back to Spark or its
 * time is over. The lock is a leaf.
 *
 * <p>Tasks that wait for each other always end: when all that hold memory wait, nobody is left who
 * could give any back, and one of them gives way at once: one that can do less instead, else the
 * youngest of those beyond their share, else the youngest. One that stands still where it cannot
 * give way is taken for one that waits. When one that would fail has waited as often as it may,
 * others beyond their share, and younger ones, that wait and hold memory give way before it does.
 * Young is who has the higher attempt id.
 */
final class PeerPressure {
  static final long LONGEST_WAIT_MILLIS = 1000;

  private static final Comparator<TaskMemory> YOUNGEST_LAST =
      Comparator.comparingLong(TaskMemory::taskAttemptId);

  private final Collection<TaskMemory> tasks;
  private final LongSupplier executionBytes;
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
   * @param executionBytes what Spark has granted to all of them
   * @param initialMillis the first wait
   */
  PeerPressure(Collection<TaskMemory> tasks, LongSupplier executionBytes, long initialMillis) {
    this.tasks = tasks;
    this.executionBytes = executionBytes;
    this.intervals =
        IntervalFunction.ofExponentialRandomBackoff(
            initialMillis, 2.0, 0.5, Math.max(initialMillis + 1, LONGEST_WAIT_MILLIS));
  }

  /** Asks every other task that has something reserved. */
  void ask(TaskMemory asking, long bytes) {
    askAbove(asking, bytes, 0);
  }

  /** Asks every other task that has more than so much reserved. */
  void askAbove(TaskMemory asking, long bytes, long reservedBytes) {
    for (TaskMemory task : tasks) {
      if (task != asking && task.reservedBytes() > reservedBytes) {
        task.spilling().request(bytes);
      }
    }
  }

  /**
   * Waits until some task returns memory, the time has come, this task gives way, or the thread is
   * interrupted, in which case the flag is set again.
   *
   * @param task that waits
   * @param untilNanos no longer than that, by {@link System#nanoTime}
   * @param othersToo whether something else than tasks may make room too, so that it is worth
   *     waiting even if no other task could
   * @return whether the time has come
   */
  boolean await(TaskMemory task, long untilNanos, boolean othersToo) {
    long nanos = untilNanos - System.nanoTime();
    // Asks Spark, so not with the lock held.
    Set<TaskMemory> holders = holders();
    Comparator<TaskMemory> last = givingWayLast(holders);
    lock.lock();
    try {
      waiting.incrementAndGet();
      waiters.add(task);
      if (!othersToo && othersStand(task, holders)) {
        waiters.stream().filter(holders::contains).max(last).ifPresent(this::giveWay);
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
    return nanos <= 0;
  }

  /** How long an interval lasts, which one counted from 1: random, and each about twice as long. */
  long intervalNanos(int interval) {
    return TimeUnit.MILLISECONDS.toNanos(intervals.apply(interval));
  }

  /** Whether all other tasks that hold memory wait, or stand still where they cannot. */
  boolean othersStand(TaskMemory task) {
    Set<TaskMemory> holders = holders();
    lock.lock();
    try {
      return othersStand(task, holders);
    } finally {
      lock.unlock();
    }
  }

  private boolean othersStand(TaskMemory task, Set<TaskMemory> holders) {
    return holders.stream().allMatch(each -> each == task || waits(each) || each.isStalled());
  }

  private boolean waits(TaskMemory task) {
    return waiters.contains(task) && task.isWaiting();
  }

  /** The attempt id of the youngest task that is open; no task younger has been here before. */
  long newestAttemptId() {
    return tasks.stream().mapToLong(TaskMemory::taskAttemptId).max().orElse(Long.MIN_VALUE);
  }

  /**
   * A task that would fail has waited as long as it may: another that waits gives way in its stead,
   * one beyond its share or a younger one, unless such a one has given way just now and is still
   * returning what it holds. Who holds nothing would give way for nothing; and who is beyond its
   * share itself gets nothing by it.
   *
   * @param newestAttemptId none that is younger than this is made to give way
   * @return false if there is none: this task gives way itself
   */
  boolean makeAnotherGiveWay(TaskMemory task, long newestAttemptId) {
    if (task.isBeyondShare()) {
      return false;
    }
    List<TaskMemory> others =
        holders().stream()
            .filter(each -> each != task && each.taskAttemptId() <= newestAttemptId)
            .filter(each -> YOUNGEST_LAST.compare(each, task) > 0 || each.isBeyondShare())
            .toList();
    if (others.stream().anyMatch(TaskMemory::hasGivenWay)) {
      return true;
    }
    List<TaskMemory> waiting = others.stream().filter(TaskMemory::isWaiting).toList();
    Optional<TaskMemory> another = waiting.stream().max(givingWayLast(waiting));
    lock.lock();
    try {
      another.ifPresent(this::giveWay);
    } finally {
      lock.unlock();
    }
    return another.isPresent();
  }

  /**
   * Last is who gives way: who can do less then, and need not fail; of these, or of all if there is
   * none, the youngest of those beyond their share, to whom Spark grants nothing whatever the
   * others do, and who fit into it when they come again; else the youngest. Asks Spark.
   */
  private static Comparator<TaskMemory> givingWayLast(Collection<TaskMemory> some) {
    // As they are now: they go on meanwhile.
    Set<TaskMemory> doLess = some.stream().filter(TaskMemory::couldDoLess).collect(toSet());
    Set<TaskMemory> beyond = some.stream().filter(TaskMemory::isBeyondShare).collect(toSet());
    return Comparator.<TaskMemory, Boolean>comparing(doLess::contains)
        .thenComparing(beyond::contains)
        .thenComparing(YOUNGEST_LAST);
  }

  /** Whether any other task holds memory. */
  boolean othersHold(TaskMemory asking) {
    return holders().stream().anyMatch(task -> task != asking);
  }

  /**
   * The tasks that hold memory: those with something reserved and, if operators of the JVM hold
   * some too, those to which Spark has granted anything. Called with none of our locks held.
   */
  private Set<TaskMemory> holders() {
    Set<TaskMemory> holders = new HashSet<>();
    long ours = 0;
    for (TaskMemory task : tasks) {
      long reserved = task.reservedBytes();
      ours += reserved;
      if (reserved > 0) {
        holders.add(task);
      }
    }
    if (executionBytes.getAsLong() > ours) {
      tasks.stream().filter(task -> task.grantedBytes() > 0).forEach(holders::add);
    }
    return holders;
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
