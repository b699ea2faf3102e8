package io.spillway.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The threads that use a task's native memory beside its own, while they do. Its lock is a leaf:
 * neither a step nor anything else is called while it is held.
 */
final class HelperThreads {
  private final long waitMillis;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();

  /**
   * How deep each thread is inside: a step may run others. Guarded by the lock, as what follows.
   */
  private final Map<Thread, Integer> inside = new HashMap<>();

  private boolean ended;

  /** Whether {@link #end} has ever found one inside that did not leave in time. */
  private boolean outlasted;

  private boolean interrupted;
  private Runnable afterTheLast;

  /**
   * No thread is inside yet.
   *
   * @param waitMillis for how long {@link #end} waits for those inside, before it interrupts them
   *     and once more afterwards
   */
  HelperThreads(long waitMillis) {
    this.waitMillis = waitMillis;
  }

  /** Runs a step of the calling thread, or answers {@code ended} if no further one may begin. */
  <T> T run(Supplier<T> step, T endedAnswer) {
    if (!enter()) {
      return endedAnswer;
    }
    try {
      return step.get();
    } finally {
      leave();
    }
  }

  private boolean enter() {
    lock.lock();
    try {
      boolean alreadyInside = inside.containsKey(Thread.currentThread());
      if (ended && !alreadyInside) {
        return false;
      }
      inside.merge(Thread.currentThread(), 1, Integer::sum);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    Runnable last = null;
    lock.lock();
    try {
      inside.computeIfPresent(Thread.currentThread(), (t, depth) -> depth == 1 ? null : depth - 1);
      left.signalAll();
      if (inside.isEmpty()) {
        last = afterTheLast;
        afterTheLast = null;
      }
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.run();
    }
  }

  /**
   * Lets no further step begin and waits for those under way, other than the caller's own: so long,
   * then they are interrupted, then as long again. Later calls only look. An interrupt of the
   * caller is kept for later.
   *
   * @return whether no other thread is inside now
   */
  boolean end() {
    lock.lock();
    try {
      ended = true;
      if (!interrupted && !awaitAlone()) {
        interrupted = true;
        others().forEach(Thread::interrupt);
        awaitAlone();
      }
      outlasted |= !alone();
      return alone();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a thread was still inside when somebody had waited for it in vain, and therefore had
   * freed nothing at the end of the task.
   */
  boolean outlasted() {
    lock.lock();
    try {
      return outlasted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps an action for the last thread that leaves, which runs it.
   *
   * @return false if no other thread is inside: the action is not kept
   */
  boolean afterTheLast(Runnable action) {
    lock.lock();
    try {
      if (alone()) {
        return false;
      }
      afterTheLast = action;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Names of the threads inside, other than the caller. */
  List<String> names() {
    lock.lock();
    try {
      return others().stream().map(Thread::getName).sorted().toList();
    } finally {
      lock.unlock();
    }
  }

  private List<Thread> others() {
    return inside.keySet().stream().filter(thread -> thread != Thread.currentThread()).toList();
  }

  private boolean alone() {
    return others().isEmpty();
  }

  private boolean awaitAlone() {
    long nanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    long endNanos = System.nanoTime() + nanos;
    boolean interruptedMeanwhile = false;
    while (!alone() && nanos > 0) {
      try {
        nanos = left.awaitNanos(nanos);
      } catch (InterruptedException e) {
        interruptedMeanwhile = true;
        // Not from the start: whoever interrupts again and again would make this endless.
        nanos = endNanos - System.nanoTime();
      }
    }
    if (interruptedMeanwhile) {
      Thread.currentThread().interrupt();
    }
    return alone();
  }
}
