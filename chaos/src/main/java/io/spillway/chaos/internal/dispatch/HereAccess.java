package io.spillway.chaos.internal.dispatch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;

/**
 * Asks Spark which application, host and executor this JVM is, and remembers the answer as long as
 * the same Spark runs in it. Any thread.
 */
final class HereAccess {
  private static final ClassValue<Object> HANDLES =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> seam) {
          try {
            return Handles.from(seam.getClassLoader());
          } catch (ReflectiveOperationException | LinkageError e) {
            return e;
          }
        }
      };

  private volatile Known known = new Known(new WeakReference<>(null), Here.BEFORE_SPARK);

  /**
   * Where a call was made.
   *
   * @param seam the instrumented class, whose loader finds Spark
   * @throws IllegalStateException if this is not a Spark that the agent knows
   */
  Here of(Class<?> seam) {
    Object found = HANDLES.get(seam);
    if (!(found instanceof Handles spark)) {
      throw new IllegalStateException(
          "application, host and executor cannot be asked from " + seam.getName() + ": " + found);
    }
    Object env = spark.env();
    if (env == null) {
      return Here.BEFORE_SPARK;
    }
    Known last = known;
    if (last.env().get() == env && last.here().isComplete()) {
      return last.here();
    }
    Here here = spark.here(env);
    known = new Known(new WeakReference<>(env), here);
    return here;
  }

  /**
   * @param env weak, so that a stopped Spark is not held
   */
  private record Known(WeakReference<Object> env, Here here) {}

  private record Handles(
      MethodHandle currentEnv,
      MethodHandle conf,
      MethodHandle confGet,
      MethodHandle executorId,
      MethodHandle blockManager,
      MethodHandle blockManagerId,
      MethodHandle host) {

    static Handles from(ClassLoader loader) throws ReflectiveOperationException {
      Class<?> env = Class.forName("org.apache.spark.SparkEnv", false, loader);
      Class<?> conf = Class.forName("org.apache.spark.SparkConf", false, loader);
      Class<?> blocks = Class.forName("org.apache.spark.storage.BlockManager", false, loader);
      Class<?> blocksId = Class.forName("org.apache.spark.storage.BlockManagerId", false, loader);
      return new Handles(
          SparkHandles.currentEnv(env),
          SparkHandles.sparkGetter(env, "conf", conf),
          MethodHandles.publicLookup()
              .findVirtual(
                  conf, "get", MethodType.methodType(String.class, String.class, String.class))
              .asType(
                  MethodType.methodType(String.class, Object.class, String.class, String.class)),
          SparkHandles.getter(env, "executorId", String.class),
          SparkHandles.sparkGetter(env, "blockManager", blocks),
          SparkHandles.sparkGetter(blocks, "blockManagerId", blocksId),
          SparkHandles.getter(blocksId, "host", String.class));
    }

    Object env() {
      try {
        return currentEnv.invokeExact();
      } catch (Throwable e) {
        throw TaskAccess.unexpected(e);
      }
    }

    Here here(Object env) {
      try {
        Object settings = conf.invokeExact(env);
        Object blocks = blockManager.invokeExact(env);
        // Null while the block manager is not registered.
        Object id = blocks == null ? null : blockManagerId.invokeExact(blocks);
        return new Here(
            (String) confGet.invokeExact(settings, "spark.app.name", (String) null),
            (String) confGet.invokeExact(settings, "spark.app.id", (String) null),
            id == null ? null : (String) host.invokeExact(id),
            (String) executorId.invokeExact(env));
      } catch (Throwable e) {
        throw TaskAccess.unexpected(e);
      }
    }
  }
}
