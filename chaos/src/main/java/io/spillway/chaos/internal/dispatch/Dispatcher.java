package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.ChaosException;
import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import java.io.IOException;

/**
 * The one place that instrumented code calls. Each method stands for a point: it returns, or throws
 * the injected fault. Static because inlined advice can reach nothing else; any thread.
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
    double share = ((Fault.ShortGrant) firing.fault()).share();
    long askedBytes = (long) (requiredBytes * share);
    // Spark's pool asserts that it is asked for something, so asking for nothing is not asking.
    return askedBytes == 0 ? REFUSED : askedBytes;
  }

  /**
   * A native block is about to be taken.
   *
   * @throws OutOfMemoryError if the plan says so
   */
  public static void nativeAlloc(Class<?> seam, long bytes) {
    Firing firing = reach(FaultPoint.NATIVE_ALLOC, seam, null);
    if (firing != null) {
      throw new OutOfMemoryError(
          "no native block of " + bytes + " bytes (injected: " + firing.describe() + ")");
    }
  }

  /**
   * A frame of a spill is about to be written.
   *
   * @throws IOException if the plan says so
   */
  public static void spillWrite(Class<?> seam) throws IOException {
    Firing firing = reach(FaultPoint.SPILL_WRITE, seam, null);
    if (firing != null) {
      throw new IOException("No space left on device (injected: " + firing.describe() + ")");
    }
  }

  /**
   * An operator starts a batch.
   *
   * @throws ChaosException if the plan says so
   */
  public static void taskBatch(Class<?> seam, Object operator) {
    Firing firing = reach(FaultPoint.TASK_BATCH, seam, operator);
    if (firing != null) {
      throw new ChaosException("injected failure: " + firing.describe());
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
    } catch (RuntimeException | LinkageError e) {
      armed.disarm("deciding at " + point.id() + " failed: " + e);
      return null;
    }
  }
}
