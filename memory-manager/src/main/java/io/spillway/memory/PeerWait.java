package io.spillway.memory;

import java.util.concurrent.TimeUnit;

/**
 * One task's waiting for the others, attempt by attempt. Written by the thread that waits, but for
 * the order to give way, which comes from another's.
 */
final class PeerWait {
  /**
   * NO → WAITS with the first attempt; WAITS → GAVE_WAY by order of a task that is older, or with
   * the last attempt, or when what was waited for fails; either → NO with a grant; GAVE_WAY → WAITS
   * with a next request.
   */
  private enum State {
    NO,
    WAITS,
    GAVE_WAY
  }

  private final TaskMemory task;
  private volatile State state = State.NO;
  private volatile Thread waiter;
  private long startNanos;
  private long graceEndNanos;

  PeerWait(TaskMemory task) {
    this.task = task;
  }

  /**
   * Asks the other tasks and waits, and spills if the container guard asks meanwhile. Beyond the
   * attempts that are set it goes on only as long as a younger task gives way instead, and no
   * longer than a second for each task that is open; all together no longer than is set. One thread
   * of a task waits at a time.
   *
   * <p>While the guard refuses there is something to wait for even if no other task holds memory,
   * or all of them wait: the rest of the process may shrink, and those that wait spill for it.
   *
   * @param bytes asked for
   * @param attempt from 1
   * @return whether the request is worth another try; false if there is nothing to wait for, if
   *     this task is to give way, or after the last attempt
   */
  boolean next(long bytes, int attempt) {
    if (attempt == 1 && !begin()) {
      return false;
    }
    boolean goesOn = false;
    try {
      goesOn = state == State.WAITS && mayWait(attempt) && askAndAwait(bytes, attempt);
    } finally {
      if (!goesOn) {
        state = State.GAVE_WAY;
      }
    }
    return goesOn;
  }

  private synchronized boolean begin() {
    if (state == State.WAITS && waiter != Thread.currentThread()) {
      return false;
    }
    waiter = Thread.currentThread();
    state = State.WAITS;
    startNanos = System.nanoTime();
    graceEndNanos = 0;
    return true;
  }

  private boolean askAndAwait(long bytes, int attempt) {
    PeerPressure peers = task.executor().peers();
    boolean othersToo = task.executor().guard().isRefusing();
    if (!peers.ask(task, bytes) && !othersToo) {
      return false;
    }
    boolean goesOn = peers.await(task, attempt, othersToo);
    task.endIfKilled();
    task.spilling().shed();
    return goesOn;
  }

  /** The request was granted, or nothing more is tried for it. */
  void over(boolean granted) {
    if (waiter == Thread.currentThread()) {
      if (granted) {
        state = State.NO;
      } else if (state == State.WAITS) {
        // What was tried after a wait has failed for another reason: the task is about to end.
        state = State.GAVE_WAY;
      }
    }
  }

  private boolean mayWait(int attempt) {
    MemorySettings settings = task.executor().settings();
    long now = System.nanoTime();
    if (now - startNanos >= TimeUnit.MILLISECONDS.toNanos(settings.waitTotalMillis())) {
      return false;
    }
    if (attempt <= settings.waitAttempts()) {
      return true;
    }
    if (settings.waitAttempts() == 0) {
      return false;
    }
    if (graceEndNanos == 0) {
      long millis = PeerPressure.LONGEST_WAIT_MILLIS * task.executor().openTasks();
      graceEndNanos = now + TimeUnit.MILLISECONDS.toNanos(millis);
    }
    return now - graceEndNanos < 0 && task.executor().peers().makeYoungerGiveWay(task);
  }

  boolean isWaiting() {
    return state == State.WAITS;
  }

  boolean hasGivenWay() {
    return state == State.GAVE_WAY;
  }

  /** From another task's thread. */
  void giveWay() {
    state = State.GAVE_WAY;
  }
}
