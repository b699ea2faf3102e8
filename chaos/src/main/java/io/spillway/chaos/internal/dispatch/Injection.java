package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.ChaosException;
import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Does to a call what its fault says: waits and returns, or throws. Stateless; any thread. */
final class Injection {
  /** Where a failing call means that bytes did not get through. */
  private static final Set<FaultPoint> INPUT_OUTPUT =
      EnumSet.of(
          FaultPoint.SPILL_OPEN,
          FaultPoint.SPILL_WRITE,
          FaultPoint.SPILL_FLUSH,
          FaultPoint.SPILL_READ,
          FaultPoint.SPILL_DELETE,
          FaultPoint.SHUFFLE_WRITE,
          FaultPoint.SHUFFLE_FETCH,
          FaultPoint.PLUGIN_RPC);

  /** 128 and the number of SIGKILL. */
  private static final int KILLED_BY_CONTAINER = 137;

  private Injection() {}

  /** Whether a seam can carry the fault: not every one of a point's seams carries all of its. */
  static boolean isPossible(Fault fault, Class<?> seam) {
    return !(fault instanceof Fault.Damage) || seam.getName().startsWith("io.spillway.");
  }

  /** Waits, interrupts, or throws the fault, checked or not. */
  static void perform(Firing firing, Class<?> seam) {
    if (firing.fault() instanceof Fault.Delay delay) {
      pause(delay.millis());
    } else if (firing.fault() instanceof Fault.Interrupt) {
      Thread.currentThread().interrupt();
    } else if (firing.fault() instanceof Fault.Halt) {
      Console.say("this executor ends now with code " + KILLED_BY_CONTAINER + " " + why(firing));
      Runtime.getRuntime().halt(KILLED_BY_CONTAINER);
    } else {
      raise(failure(firing, seam));
    }
  }

  /** For messages: that it is injected, and which fault it is. */
  static String why(Firing firing) {
    return "(injected: " + firing.describe() + ")";
  }

  private static Throwable failure(Firing firing, Class<?> seam) {
    Fault fault = firing.fault();
    String why = why(firing);
    if (fault instanceof Fault.OutOfMemory) {
      return ForeignFailures.outOfMemory(firing.point(), seam, "out of memory " + why);
    } else if (fault instanceof Fault.DiskFull) {
      return new IOException("No space left on device " + why);
    } else if (fault instanceof Fault.Kill) {
      return ForeignFailures.killed(seam, "killed " + why);
    } else if (fault instanceof Fault.CallError && INPUT_OUTPUT.contains(firing.point())) {
      return new IOException("Input/output error " + why);
    }
    if (fault instanceof Fault.Lost) {
      return ForeignFailures.unanswered(seam, "no answer came " + why);
    }
    return new ChaosException("injected failure: " + firing.describe());
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      // The task is being killed: it must see that when it goes on.
      Thread.currentThread().interrupt();
    }
  }

  /** A seam's bytecode may throw what its source does not declare. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "DoNotCallSuggester"})
  static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }
}
