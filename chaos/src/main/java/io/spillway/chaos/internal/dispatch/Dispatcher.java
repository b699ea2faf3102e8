package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;

/**
 * The one place that instrumented code calls. Each method stands for a point: it returns, at once
 * or after a delay, or throws the injected fault, which may be a checked exception that is not
 * declared. Static because inlined advice can reach nothing else; any thread.
 *
 * <p>The class must be visible from the instrumented class's loader. An agent's jar is on the
 * system class path, and the loaders of Spark and of its jars have the system loader as an
 * ancestor, so these points need no jar on the bootstrap class path.
 */
public final class Dispatcher {
  /** Answer of {@link #memoryAcquire}: do not ask Spark, grant 0 bytes. */
  public static final long REFUSED = Long.MIN_VALUE;

  private static volatile FaultEngine engine;

  private Dispatcher() {}

  /** Puts an engine in place; null takes it away, and every point passes at once. */
  public static void arm(FaultEngine armed) {
    engine = armed;
  }

  /**
   * A consumer asks for execution memory.
   *
   * @return the bytes to ask Spark for, or {@link #REFUSED}
   */
  public static long memoryAcquire(Class<?> seam, long requiredBytes, Object consumer) {
    if (requiredBytes <= 0) {
      // Not a request: Spark's own assertion answers it.
      return requiredBytes;
    }
    Firing firing = reach(FaultPoint.MEMORY_ACQUIRE, seam, consumer);
    if (firing == null) {
      return requiredBytes;
    }
    if (!(firing.fault() instanceof Fault.ShortGrant grant)) {
      Injection.perform(firing, seam);
      return requiredBytes;
    }
    long askedBytes = (long) (requiredBytes * grant.share());
    // Spark's pool asserts that it is asked for something, so asking for nothing is not asking.
    return askedBytes == 0 ? REFUSED : askedBytes;
  }

  /** Spark is about to take an off-heap page. */
  public static void memoryPage(Class<?> seam) {
    inject(FaultPoint.MEMORY_PAGE, seam, null);
  }

  /** A native block is about to be taken. */
  public static void nativeAlloc(Class<?> seam, long bytes) {
    Firing firing = reach(FaultPoint.NATIVE_ALLOC, seam, null);
    if (firing == null) {
      return;
    }
    if (firing.fault() instanceof Fault.OutOfMemory) {
      // The plain error, as from the operating system: it never leaves Spillway's page source.
      throw new OutOfMemoryError(
          "no native block of " + bytes + " bytes (injected: " + firing.describe() + ")");
    }
    Injection.perform(firing, seam);
  }

  /** A native block was taken and is about to be entered into the ledger. */
  public static void nativeRegister(Class<?> seam, Object operator) {
    inject(FaultPoint.NATIVE_REGISTER, seam, operator);
  }

  /** A kernel is about to run. */
  public static void kernelCall(Class<?> seam) {
    inject(FaultPoint.KERNEL_CALL, seam, null);
  }

  /** A spill file is about to be created. */
  public static void spillOpen(Class<?> seam) {
    inject(FaultPoint.SPILL_OPEN, seam, null);
  }

  /** A frame of a spill is about to be written. */
  public static void spillWrite(Class<?> seam) {
    inject(FaultPoint.SPILL_WRITE, seam, null);
  }

  /** A segment of a spill is about to be ended. */
  public static void spillFlush(Class<?> seam) {
    inject(FaultPoint.SPILL_FLUSH, seam, null);
  }

  /** Stored bytes of a spill are about to be read. */
  public static void spillRead(Class<?> seam) {
    inject(FaultPoint.SPILL_READ, seam, null);
  }

  /** A file of a spill has been deleted. */
  public static void spillDelete(Class<?> seam) {
    inject(FaultPoint.SPILL_DELETE, seam, null);
  }

  /** A spill has been closed. */
  public static void spillClose(Class<?> seam) {
    inject(FaultPoint.SPILL_CLOSE, seam, null);
  }

  /** A map task is about to write its output. */
  public static void shuffleWrite(Class<?> seam) {
    inject(FaultPoint.SHUFFLE_WRITE, seam, null);
  }

  /** A block of a shuffle is about to be taken. */
  public static void shuffleFetch(Class<?> seam) {
    inject(FaultPoint.SHUFFLE_FETCH, seam, null);
  }

  /** A task's body is about to run. */
  public static void taskStart(Class<?> seam) {
    inject(FaultPoint.TASK_START, seam, null);
  }

  /** An operator starts a batch. */
  public static void taskBatch(Class<?> seam, Object operator) {
    FaultEngine armed = engine;
    if (armed != null) {
      armed.spillwayBatch();
    }
    inject(FaultPoint.TASK_BATCH, seam, operator);
  }

  /** A task asks whether it was killed: a batch, where Spillway is not there. */
  public static void taskCheck(Class<?> seam) {
    FaultEngine armed = engine;
    if (armed != null && !spillwayIsThere(armed, seam)) {
      inject(FaultPoint.TASK_BATCH, seam, null);
    }
  }

  /** A task's body has ended well. */
  public static void taskEnd(Class<?> seam) {
    inject(FaultPoint.TASK_END, seam, null);
  }

  private static void inject(FaultPoint point, Class<?> seam, Object operator) {
    Firing firing = reach(point, seam, operator);
    if (firing != null) {
      Injection.perform(firing, seam);
    }
  }

  /** A defect of the agent's own must not look like a fault: it disarms, and the job goes on. */
  private static Firing reach(FaultPoint point, Class<?> seam, Object operator) {
    FaultEngine armed = engine;
    if (armed == null) {
      return null;
    }
    try {
      return armed.reach(point, seam, operator);
    } catch (Throwable e) {
      giveUp(armed, "deciding at " + point.id() + " failed", e);
      return null;
    }
  }

  private static boolean spillwayIsThere(FaultEngine armed, Class<?> seam) {
    try {
      return armed.spillwayIsThere(seam);
    } catch (Throwable e) {
      giveUp(armed, "looking for Spillway failed", e);
      return true;
    }
  }

  /**
   * Disarms after whatever went wrong, a full stack or heap included: the job would have gone on
   * without the agent, so it does.
   */
  private static void giveUp(FaultEngine armed, String what, Throwable failure) {
    try {
      armed.disarm(what + ": " + failure);
    } catch (Throwable e) {
      // Not even the words could be made: without an engine every point passes.
      engine = null;
    }
  }
}
