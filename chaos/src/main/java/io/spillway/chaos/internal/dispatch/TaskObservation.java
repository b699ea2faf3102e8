package io.spillway.chaos.internal.dispatch;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What instrumented code calls where the agent only looks on, for the report, whatever points are
 * armed. Whatever goes wrong here, a full stack or heap included, leaves a gap in the report and
 * nothing else: faults and job go on. Static because inlined advice can reach nothing else; any
 * thread.
 */
public final class TaskObservation {
  private static final AtomicBoolean COMPLAINED = new AtomicBoolean();

  private TaskObservation() {}

  /** A task's body is about to run. */
  public static void taskStarted(Class<?> seam) {
    FaultEngine armed = Dispatcher.engine();
    if (armed == null) {
      return;
    }
    boolean entered = OwnCalls.enter();
    try {
      armed.tasks().started(seam);
    } catch (Throwable e) {
      complain(e);
    } finally {
      if (entered) {
        OwnCalls.leave();
      }
    }
  }

  /** A task's body has ended, whatever way; its listeners are about to run. */
  public static void taskCompleting(Object context) {
    FaultEngine armed = Dispatcher.engine();
    if (armed == null) {
      return;
    }
    boolean entered = OwnCalls.enter();
    try {
      armed.tasks().completing(context);
    } catch (Throwable e) {
      complain(e);
    } finally {
      if (entered) {
        OwnCalls.leave();
      }
    }
  }

  /** Spark is about to take back what a task's attempt still holds. */
  public static void taskCleanedUp(Object manager) {
    FaultEngine armed = Dispatcher.engine();
    if (armed == null) {
      return;
    }
    boolean entered = OwnCalls.enter();
    try {
      armed.tasks().cleanedUp(manager);
    } catch (Throwable e) {
      complain(e);
    } finally {
      if (entered) {
        OwnCalls.leave();
      }
    }
  }

  /** The next plan's first failure is said again. */
  static void forget() {
    COMPLAINED.set(false);
  }

  private static void complain(Throwable failure) {
    try {
      if (COMPLAINED.compareAndSet(false, true)) {
        Console.say("recording a task attempt failed: " + failure);
      }
    } catch (Throwable e) {
      // Not even the words could be made, and nothing hangs on them.
    }
  }
}
