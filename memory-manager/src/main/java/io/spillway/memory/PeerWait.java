package io.spillway.memory;

import java.util.concurrent.TimeUnit;

/**
 * One task's waiting for the others, try by try. Written by the thread that waits, but for the
 * order to give way, which comes from another's.
 */
final class PeerWait {
  /**
   * NO → WAITS with the first try; WAITS → GAVE_WAY by order of a task that is older, or with the
   * last try, or when what was waited for fails; either → NO with a grant, or when what gave way
   * has done less instead; GAVE_WAY → WAITS with a next request.
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

  /** The youngest task there was at the beginning. */
  private long newestAttemptId;

  /** How long its request may wait; written with the state. */
  private volatile Patience patience = Patience.NONE;

  /** Waits that lasted as long as they were to. */
  private int fullWaits;

  /** Whether an interval is over, so that the others are asked and the next one begins. */
  private boolean intervalOver;

  private long intervalEndNanos;

  PeerWait(TaskMemory task) {
    this.task = task;
  }

  /**
   * Asks the other tasks and waits until memory has come back or an interval is over, and spills if
   * the container guard asks meanwhile. Only what is waited to the end counts as an attempt: memory
   * comes back all the time, and may be too little. Beyond the attempts that are set only a task
   * goes on that would fail otherwise: as long as another gives way instead, and no longer than a
   * second for each task that is open; or, if it has less than its share, until the whole time that
   * is set is over. One thread of a task waits at a time.
   *
   * <p>While the guard refuses there is something to wait for even if no other task holds memory,
   * or all of them wait: the rest of the process may shrink, and those that wait spill for it.
   *
   * @param bytes asked for
   * @param attempt from 1
   * @param patience more than none
   * @return whether the request is worth another try; false if there is nothing to wait for, if
   *     this task is to give way or has ended, or after the last attempt
   */
  boolean next(long bytes, int attempt, Patience patience) {
    if (attempt == 1 && !begin(patience)) {
      return false;
    }
    boolean goesOn = false;
    try {
      goesOn = state == State.WAITS && mayWait(bytes) && askAndAwait(bytes);
    } finally {
      if (!goesOn) {
        giveWay();
      }
    }
    return goesOn;
  }

  private synchronized boolean begin(Patience itsPatience) {
    if (state == State.WAITS && waiter != Thread.currentThread()) {
      return false;
    }
    waiter = Thread.currentThread();
    patience = itsPatience;
    state = State.WAITS;
    startNanos = System.nanoTime();
    graceEndNanos = 0;
    newestAttemptId = task.executor().peers().newestAttemptId();
    fullWaits = 0;
    intervalOver = true;
    return true;
  }

  private boolean askAndAwait(long bytes) {
    ExecutorMemory executor = task.executor();
    boolean othersToo = executor.guard().isRefusing();
    if (!executor.peers().othersHold(task) && !othersToo) {
      return false;
    }
    if (intervalOver) {
      intervalEndNanos = System.nanoTime() + executor.peers().intervalNanos(fullWaits + 1);
      // Beyond its share Spark grants it nothing, whatever the others spill.
      if (executor.isWithinShare(task, bytes)) {
        executor.peers().ask(task, bytes);
      }
    }
    intervalOver = executor.peers().await(task, intervalEndNanos, othersToo);
    fullWaits += intervalOver ? 1 : 0;
    task.endIfKilled();
    task.spilling().shed();
    return state == State.WAITS;
  }

  private boolean mayWait(long bytes) {
    MemorySettings settings = task.executor().settings();
    long now = System.nanoTime();
    boolean timeIsUp =
        now - startNanos >= TimeUnit.MILLISECONDS.toNanos(settings.waitTotalMillis());
    // A thread beside the task's own learns of the end so, or by an interrupt.
    if (timeIsUp || Thread.currentThread().isInterrupted() || task.context().isCompleted()) {
      return false;
    }
    if (fullWaits < settings.waitAttempts()) {
      return true;
    }
    // What can do less turns nobody away, who might fail by it.
    if (settings.waitAttempts() == 0 || patience != Patience.ALL) {
      return false;
    }
    if (graceEndNanos == 0) {
      long millis = PeerPressure.LONGEST_WAIT_MILLIS * task.executor().openTasks();
      graceEndNanos = now + TimeUnit.MILLISECONDS.toNanos(millis);
    }
    // None that came later: one that was turned away would come again, and be turned away again.
    boolean instead =
        now - graceEndNanos < 0
            && task.executor().peers().makeAnotherGiveWay(task, newestAttemptId);
    // Beyond its share it would wait for the end of a task, which may be far away.
    return instead || task.executor().isWithinShare(task, bytes);
  }

  /**
   * The request was granted, or nothing more is tried for it.
   *
   * @param granted or less was done, for which there was enough
   */
  synchronized void over(boolean granted) {
    if (waiter == Thread.currentThread()) {
      if (granted) {
        state = State.NO;
      } else {
        // What was tried after a wait has failed for another reason: the task is about to end.
        giveWay();
      }
    }
  }

  boolean isWaiting() {
    return state == State.WAITS;
  }

  /** Whether it waits for what it could do less without. */
  boolean couldDoLess() {
    return state == State.WAITS && patience == Patience.SOME;
  }

  boolean hasGivenWay() {
    return state == State.GAVE_WAY;
  }

  /** If it waits; from any thread. */
  synchronized void giveWay() {
    if (state == State.WAITS) {
      state = State.GAVE_WAY;
    }
  }
}
