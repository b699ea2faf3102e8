package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The exceptions of Spark's own that faults throw, made through the class loader of an instrumented
 * class. Any thread.
 */
final class SparkFailures {
  private static final String KILLED = "org.apache.spark.TaskKilledException";
  private static final String OUT_OF_MEMORY = "org.apache.spark.memory.SparkOutOfMemoryError";

  private static final ClassValue<Makers> MAKERS =
      new ClassValue<>() {
        @Override
        protected Makers computeValue(Class<?> seam) {
          return new Makers(maker(seam, KILLED), maker(seam, OUT_OF_MEMORY));
        }
      };

  private SparkFailures() {}

  /** Why this fault cannot be injected from that seam, or null. */
  static String problem(FaultPoint point, Fault fault, Class<?> seam) {
    Makers makers = MAKERS.get(seam);
    if (fault instanceof Fault.Kill && makers.killed() == null) {
      return missing(fault, KILLED);
    }
    if (fault instanceof Fault.FetchFailure && !FetchFailures.areKnown(seam)) {
      return "the fault " + fault.id() + " needs a fetch iterator that this Spark has not";
    }
    boolean sparks = fault instanceof Fault.OutOfMemory && point != FaultPoint.NATIVE_ALLOC;
    return sparks && makers.outOfMemory() == null ? missing(fault, OUT_OF_MEMORY) : null;
  }

  private static String missing(Fault fault, String type) {
    return "the fault " + fault.id() + " needs " + type + "(String), which this Spark has not";
  }

  /** Spark's word for a killed task. */
  static Throwable killed(Class<?> seam, String message) {
    return make(MAKERS.get(seam).killed(), message);
  }

  /** Spark's out-of-memory that fails the task and not the executor. */
  static Throwable outOfMemory(Class<?> seam, String message) {
    return make(MAKERS.get(seam).outOfMemory(), message);
  }

  private static Throwable make(MethodHandle maker, String message) {
    try {
      return (Throwable) maker.invokeExact(message);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("making an exception of Spark's failed", e);
    }
  }

  private static MethodHandle maker(Class<?> seam, String type) {
    try {
      Class<?> failure = Class.forName(type, false, seam.getClassLoader());
      return MethodHandles.publicLookup()
          .findConstructor(failure, MethodType.methodType(void.class, String.class))
          .asType(MethodType.methodType(Throwable.class, String.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** A null maker: this Spark has no such class or constructor. */
  private record Makers(MethodHandle killed, MethodHandle outOfMemory) {}
}
