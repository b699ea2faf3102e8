package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import java.io.InputStream;

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
    SpillDamage.forget();
  }

  /**
   * A consumer asks for execution memory.
   *
   * @return the bytes to ask Spark for, or {@link #REFUSED}
   */
  public static long memoryAcquire(Class<?> seam, long requiredBytes, Object consumer) {
    return granted(FaultPoint.MEMORY_ACQUIRE, seam, requiredBytes, consumer);
  }

  /**
   * Comet's native pool asks for execution memory.
   *
   * @return the bytes to ask Spark for, or {@link #REFUSED}
   */
  public static long cometAcquire(Class<?> seam, long requiredBytes) {
    return granted(FaultPoint.COMET_ACQUIRE, seam, requiredBytes, null);
  }

  /**
   * Gluten's native pool asks for execution memory.
   *
   * @return the bytes to ask Spark for, or {@link #REFUSED}
   */
  public static long glutenReserve(Class<?> seam, long requiredBytes) {
    return granted(FaultPoint.GLUTEN_RESERVE, seam, requiredBytes, null);
  }

  private static long granted(
      FaultPoint point, Class<?> seam, long requiredBytes, Object consumer) {
    // Less than a byte is no request: Spark's own assertion answers it.
    Firing firing = requiredBytes <= 0 ? null : reach(point, seam, consumer);
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
    // The plain error, as from the operating system: it never leaves Spillway's page source.
    plainOutOfMemory(FaultPoint.NATIVE_ALLOC, seam, "no native block of ", bytes);
  }

  /** A native block was taken and is about to be entered into the ledger. */
  public static void nativeRegister(Class<?> seam, Object operator) {
    inject(FaultPoint.NATIVE_REGISTER, seam, operator);
  }

  /** A kernel is about to run on an operator's state. */
  public static void kernelState(Class<?> seam) {
    inject(FaultPoint.KERNEL_STATE, seam, null);
  }

  /** A kernel is about to run on a batch's columns. */
  public static void kernelCall(Class<?> seam) {
    inject(FaultPoint.KERNEL_CALL, seam, null);
  }

  /** A spill file is about to be created. */
  public static void spillOpen(Class<?> seam) {
    inject(FaultPoint.SPILL_OPEN, seam, null);
  }

  /**
   * A frame of a spill is about to be written.
   *
   * @param stream where its bytes go to the disk
   */
  public static void spillWrite(Class<?> seam, Object stream) {
    Firing firing = reach(FaultPoint.SPILL_WRITE, seam, null);
    if (firing != null && firing.fault() instanceof Fault.Damage damage) {
      SpillDamage.await(stream, damage);
    } else if (firing != null) {
      Injection.perform(firing, seam);
    }
  }

  /** A row of a Spark sorter's spill is about to be written. */
  public static void sparkSpillWrite(Class<?> seam) {
    inject(FaultPoint.SPILL_WRITE, seam, null);
  }

  /** Bytes of a spill are about to go to the disk; answers those to write. */
  public static byte[] spillStoredBytes(Object stream, byte[] bytes, int offset, int length) {
    return SpillDamage.storedBytes(stream, bytes, offset, length);
  }

  /** Bytes of a spill are about to go to the disk; answers how many to write. */
  public static int spillStoredLength(Object stream, int length) {
    return SpillDamage.storedLength(stream, length);
  }

  /** A segment of a spill is about to be ended. */
  public static void spillFlush(Class<?> seam) {
    inject(FaultPoint.SPILL_FLUSH, seam, null);
  }

  /** Stored bytes of a spill are about to be read; answers how they are to be damaged, or null. */
  public static Object spillRead(Class<?> seam) {
    Firing firing = reach(FaultPoint.SPILL_READ, seam, null);
    if (firing == null || firing.fault() instanceof Fault.Damage) {
      return firing == null ? null : firing.fault();
    }
    Injection.perform(firing, seam);
    return null;
  }

  /** Whether the answer of {@link #spillRead} is that nothing is to be read. */
  public static boolean isTruncated(Object damage) {
    return damage instanceof Fault.TruncatedRead;
  }

  /** Stored bytes of a spill have been read and are to be damaged. */
  public static void spillReadBytes(byte[] bytes, int offset, int read) {
    SpillDamage.flip(bytes, offset, read);
  }

  /** A row of a Spark sorter's spill is about to be read. */
  public static void sparkSpillRead(Class<?> seam) {
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

  /**
   * A block of a shuffle is about to be taken.
   *
   * @return what {@link #shuffleFetched} has to do; null: nothing
   */
  public static Object shuffleFetch(Class<?> seam) {
    Firing firing = reach(FaultPoint.SHUFFLE_FETCH, seam, null);
    if (firing != null && firing.fault() instanceof Fault.DamagedBlock) {
      FetchDamage.await();
      return firing;
    } else if (firing != null && firing.fault() instanceof Fault.FetchFailure) {
      return firing;
    } else if (firing != null) {
      Injection.perform(firing, seam);
    }
    return null;
  }

  /** A block of a shuffle is being opened; answers its bytes. */
  public static InputStream shuffleBlock(InputStream block) {
    return FetchDamage.opened(block);
  }

  /**
   * A block of a shuffle has been taken, or taking it has failed.
   *
   * @param asked the answer of {@link #shuffleFetch}
   * @param block what the iterator took; null: nothing
   * @param thrown why it failed; null: it did not
   */
  public static void shuffleFetched(Object asked, Object iterator, Object block, Throwable thrown) {
    FetchDamage.forget();
    Firing firing = (Firing) asked;
    if (firing.fault() instanceof Fault.FetchFailure && thrown == null && block != null) {
      Injection.raise(FetchFailures.of(iterator, block, Injection.why(firing)));
    }
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

  /** An Arrow allocator is about to take a buffer. */
  public static void arrowAlloc(Class<?> seam) {
    inject(FaultPoint.ARROW_ALLOC, seam, null);
  }

  /** Netty is about to take a direct buffer. */
  public static void nettyAlloc(Class<?> seam) {
    inject(FaultPoint.NETTY_ALLOC, seam, null);
  }

  /** A block of device memory is about to be taken. */
  public static void rapidsAlloc(Class<?> seam) {
    inject(FaultPoint.RAPIDS_ALLOC, seam, null);
  }

  /** A direct buffer is about to be reserved; the seam is a class of Spark's. */
  static void jdkDirect(Class<?> seam, long bytes) {
    plainOutOfMemory(FaultPoint.JDK_DIRECT, seam, "Cannot reserve ", bytes);
  }

  /** A block is about to be allocated through Unsafe; the seam is a class of Spark's. */
  static void jdkUnsafe(Class<?> seam, long bytes) {
    plainOutOfMemory(FaultPoint.JDK_UNSAFE, seam, "Unable to allocate ", bytes);
  }

  /** A task's body is about to run in an executor. */
  public static void executorStart(Class<?> seam) {
    inject(FaultPoint.EXECUTOR_EXIT, seam, null);
  }

  /** An operator starts a batch in an executor. */
  public static void executorBatch(Class<?> seam) {
    FaultEngine armed = engine;
    if (armed != null) {
      armed.spillwayBatch();
    }
    inject(FaultPoint.EXECUTOR_EXIT, seam, null);
  }

  /** A task asks in an executor whether it was killed: a batch, where Spillway is not there. */
  public static void executorCheck(Class<?> seam) {
    FaultEngine armed = engine;
    if (armed != null && !spillwayIsThere(armed, seam)) {
      inject(FaultPoint.EXECUTOR_EXIT, seam, null);
    }
  }

  /**
   * A plugin is about to send the driver a message.
   *
   * @return whether the message is lost: nothing is to be sent
   */
  public static boolean pluginSend(Class<?> seam) {
    Firing firing = reach(FaultPoint.PLUGIN_RPC, seam, null);
    if (firing != null && firing.fault() instanceof Fault.Lost) {
      return true;
    } else if (firing != null) {
      Injection.perform(firing, seam);
    }
    return false;
  }

  /** A plugin is about to ask the driver. */
  public static void pluginAsk(Class<?> seam) {
    inject(FaultPoint.PLUGIN_RPC, seam, null);
  }

  private static void plainOutOfMemory(
      FaultPoint point, Class<?> seam, String problem, long bytes) {
    Firing firing = reach(point, seam, null);
    if (firing == null) {
      return;
    }
    if (firing.fault() instanceof Fault.OutOfMemory) {
      throw new OutOfMemoryError(problem + bytes + " bytes " + Injection.why(firing));
    }
    Injection.perform(firing, seam);
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
    boolean entered = OwnCalls.enter();
    try {
      return armed.reach(point, seam, operator);
    } catch (Throwable e) {
      giveUp(armed, "deciding at " + point.id() + " failed", e);
      return null;
    } finally {
      if (entered) {
        OwnCalls.leave();
      }
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
