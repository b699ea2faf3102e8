package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/**
 * The exceptions that faults throw and that belong to Spark, Arrow, netty or another engine, made
 * through the class loader of an instrumented class. Any thread.
 */
final class ForeignFailures {
  private static final String KILLED = "org.apache.spark.TaskKilledException";
  private static final String OUT_OF_MEMORY = "org.apache.spark.memory.SparkOutOfMemoryError";
  private static final String NETTY = "io.netty.util.internal.OutOfDirectMemoryError";
  private static final String RAPIDS = "com.nvidia.spark.rapids.jni.GpuRetryOOM";
  private static final String RPC_TIMEOUT = "org.apache.spark.rpc.RpcTimeoutException";

  /** By instrumented class and name of the exception; empty: there is no such exception. */
  private static final ClassValue<Map<String, Optional<MethodHandle>>> MAKERS =
      new ClassValue<>() {
        @Override
        protected Map<String, Optional<MethodHandle>> computeValue(Class<?> seam) {
          return new ConcurrentHashMap<>();
        }
      };

  private ForeignFailures() {}

  /** Why this fault cannot be injected from that seam, or null. */
  static String problem(FaultPoint point, Fault fault, Class<?> seam) {
    if (fault instanceof Fault.FetchFailure && !FetchFailures.areKnown(seam)) {
      return "the fault " + fault.id() + " needs a fetch iterator that this Spark has not";
    }
    String type = type(point, fault, seam);
    if (type == null || maker(seam, type).isPresent()) {
      return null;
    }
    return "the fault " + fault.id() + " needs " + type + ", which is not there as expected";
  }

  /** Spark's word for a killed task. */
  static Throwable killed(Class<?> seam, String message) {
    return make(seam, KILLED, message);
  }

  /**
   * The out-of-memory of those whose seam it is; the plain one where it is the JVM's or the
   * operating system's.
   */
  static Throwable outOfMemory(FaultPoint point, Class<?> seam, String message) {
    String type = outOfMemoryType(point, seam);
    return type == null ? new OutOfMemoryError(message) : make(seam, type, message);
  }

  /** What Spark throws when no answer comes in time. */
  static Throwable unanswered(Class<?> seam, String message) {
    return make(seam, RPC_TIMEOUT, message);
  }

  private static String type(FaultPoint point, Fault fault, Class<?> seam) {
    if (fault instanceof Fault.Kill) {
      return KILLED;
    } else if (fault instanceof Fault.Lost) {
      return RPC_TIMEOUT;
    }
    return fault instanceof Fault.OutOfMemory ? outOfMemoryType(point, seam) : null;
  }

  private static String outOfMemoryType(FaultPoint point, Class<?> seam) {
    return switch (point) {
      case NATIVE_ALLOC, JDK_DIRECT, JDK_UNSAFE -> null;
      // A relocated Arrow has its exception beside it.
      case ARROW_ALLOC -> seam.getPackageName() + ".OutOfMemoryException";
      case NETTY_ALLOC -> NETTY;
      case RAPIDS_ALLOC -> RAPIDS;
      // Not the plain error: for that, or with that as a cause, Spark ends the executor.
      default -> OUT_OF_MEMORY;
    };
  }

  private static Throwable make(Class<?> seam, String type, String message) {
    try {
      return (Throwable) maker(seam, type).orElseThrow().invokeExact(message);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("making " + type + " failed", e);
    }
  }

  private static Optional<MethodHandle> maker(Class<?> seam, String type) {
    return MAKERS.get(seam).computeIfAbsent(type, name -> find(seam, name));
  }

  private static Optional<MethodHandle> find(Class<?> seam, String type) {
    try {
      Class<?> failure = Class.forName(type, false, seam.getClassLoader());
      return Optional.of(
          (type.equals(RPC_TIMEOUT) ? timeout(failure) : constructor(failure, String.class))
              .asType(MethodType.methodType(Throwable.class, String.class)));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Message and cause, which say the same. */
  private static MethodHandle timeout(Class<?> failure) throws ReflectiveOperationException {
    return MethodHandles.foldArguments(
        MethodHandles.permuteArguments(
            constructor(failure, String.class, TimeoutException.class),
            MethodType.methodType(failure, TimeoutException.class, String.class),
            1,
            0),
        constructor(TimeoutException.class, String.class));
  }

  private static MethodHandle constructor(Class<?> type, Class<?>... parameters)
      throws ReflectiveOperationException {
    if (type == TimeoutException.class) {
      return MethodHandles.publicLookup()
          .findConstructor(type, MethodType.methodType(void.class, parameters));
    }
    Constructor<?> constructor = type.getDeclaredConstructor(parameters);
    // Netty keeps its own to itself.
    constructor.setAccessible(true);
    return MethodHandles.lookup().unreflectConstructor(constructor);
  }
}
