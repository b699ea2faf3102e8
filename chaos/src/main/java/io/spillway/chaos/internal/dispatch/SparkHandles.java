package io.spillway.chaos.internal.dispatch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Handles on methods of Spark, which the agent is compiled without: what they take and answer is an
 * {@code Object} wherever it is Spark's.
 */
final class SparkHandles {
  private SparkHandles() {}

  /** {@code SparkEnv.get}. */
  static MethodHandle currentEnv(Class<?> env) throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findStatic(env, "get", MethodType.methodType(env))
        .asType(MethodType.methodType(Object.class));
  }

  /** A method without parameters that answers what is not Spark's. */
  static MethodHandle getter(Class<?> type, String name, Class<?> result)
      throws ReflectiveOperationException {
    return getter(type, name, result, result);
  }

  /** A method without parameters that answers one of Spark's. */
  static MethodHandle sparkGetter(Class<?> type, String name, Class<?> result)
      throws ReflectiveOperationException {
    return getter(type, name, result, Object.class);
  }

  private static MethodHandle getter(Class<?> type, String name, Class<?> result, Class<?> as)
      throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findVirtual(type, name, MethodType.methodType(result))
        .asType(MethodType.methodType(as, Object.class));
  }
}
