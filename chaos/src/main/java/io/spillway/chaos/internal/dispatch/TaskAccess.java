package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.JobProperties;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * The few things that the agent asks Spark, reached through the class loader of an instrumented
 * class, so that the agent's jar loads in a JVM without Spark. Stateless; any thread.
 */
final class TaskAccess {
  private static final ClassValue<Object> BY_SEAM =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> seam) {
          try {
            return new TaskAccess(seam.getClassLoader());
          } catch (ReflectiveOperationException | LinkageError e) {
            return "Spark's task context cannot be reached from " + seam.getName() + ": " + e;
          }
        }
      };

  /** Where {@code SparkContext.setCallSite} keeps its text: the label of a query without one. */
  private static final String CALL_SITE = "callSite.short";

  private final CurrentTask current;
  private final MethodHandle stageId;
  private final MethodHandle stageAttempt;
  private final MethodHandle partition;
  private final MethodHandle attempt;
  private final MethodHandle taskAttemptId;
  private final MethodHandle localProperty;
  private final MethodHandle addListener;
  private final MethodHandle currentEnv;
  private final MethodHandle executorId;
  private final MethodHandle addFailureListener;
  private final MethodHandle conf;
  private final MethodHandle applicationId;
  private final Class<?> listenerType;
  private final Class<?> failureListenerType;

  /** The access from an instrumented class, or the reason as text where there is none. */
  static Object of(Class<?> seam) {
    return BY_SEAM.get(seam);
  }

  /**
   * @param loader the loader of an instrumented class
   * @throws ReflectiveOperationException if this is not a Spark that the agent knows
   */
  private TaskAccess(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> context = Class.forName("org.apache.spark.TaskContext", false, loader);
    Class<?> env = Class.forName("org.apache.spark.SparkEnv", false, loader);
    listenerType = Class.forName("org.apache.spark.util.TaskCompletionListener", false, loader);
    failureListenerType = Class.forName("org.apache.spark.util.TaskFailureListener", false, loader);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    current = CurrentTask.of(context);
    stageId = SparkHandles.getter(context, "stageId", int.class);
    stageAttempt = SparkHandles.getter(context, "stageAttemptNumber", int.class);
    partition = SparkHandles.getter(context, "partitionId", int.class);
    attempt = SparkHandles.getter(context, "attemptNumber", int.class);
    taskAttemptId = SparkHandles.getter(context, "taskAttemptId", long.class);
    localProperty =
        lookup
            .findVirtual(
                context, "getLocalProperty", MethodType.methodType(String.class, String.class))
            .asType(MethodType.methodType(String.class, Object.class, String.class));
    addListener = adder(lookup, context, "addTaskCompletionListener", listenerType);
    addFailureListener = adder(lookup, context, "addTaskFailureListener", failureListenerType);
    currentEnv = SparkHandles.currentEnv(env);
    executorId = SparkHandles.getter(env, "executorId", String.class);
    Class<?> sparkConf = Class.forName("org.apache.spark.SparkConf", false, loader);
    conf = SparkHandles.sparkGetter(env, "conf", sparkConf);
    applicationId = SparkHandles.getter(sparkConf, "getAppId", String.class);
  }

  private static MethodHandle adder(
      MethodHandles.Lookup lookup, Class<?> context, String name, Class<?> listener)
      throws ReflectiveOperationException {
    return lookup
        .findVirtual(context, name, MethodType.methodType(context, listener))
        .asType(MethodType.methodType(Object.class, Object.class, Object.class));
  }

  /** The task context of this thread, or null outside a task. */
  Object currentTask() {
    return current.get();
  }

  /** Whether the task's body has ended, so that only its clean-up still runs. */
  boolean isCompleted(Object task) {
    return current.isCompleted(task);
  }

  long taskAttemptId(Object task) {
    try {
      return (long) taskAttemptId.invokeExact(task);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Who the task is.
   *
   * @throws IllegalArgumentException if the job's stage base is not a number
   */
  TaskKey key(Object task) {
    try {
      int stage = (int) stageId.invokeExact(task);
      return new TaskKey(
          label(task),
          stage - stageBase(task),
          (int) partition.invokeExact(task),
          (int) attempt.invokeExact(task),
          (int) stageAttempt.invokeExact(task),
          stage,
          (long) taskAttemptId.invokeExact(task));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private String label(Object task) throws Throwable {
    String label = (String) localProperty.invokeExact(task, JobProperties.LABEL);
    if (label == null) {
      label = (String) localProperty.invokeExact(task, CALL_SITE);
    }
    return label == null ? "" : label;
  }

  private int stageBase(Object task) throws Throwable {
    String base = (String) localProperty.invokeExact(task, JobProperties.STAGE_BASE);
    if (base == null) {
      return 0;
    }
    try {
      return Integer.parseInt(base);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the local property "
              + JobProperties.STAGE_BASE
              + " must be a stage id, not '"
              + base
              + "'",
          e);
    }
  }

  /**
   * Runs an action when the task ends, whatever way; at once if it has ended. The action runs on
   * the task's thread and must not throw.
   */
  void onCompletion(Object task, Runnable action) {
    add(addListener, task, listenerType, arguments -> action.run());
  }

  /**
   * Tells what failed the task, if it fails; at once if it has. The action runs on the task's
   * thread, before those of {@link #onCompletion} or, when one of those is what fails, after them.
   */
  void onFailure(Object task, Consumer<Throwable> action) {
    add(
        addFailureListener,
        task,
        failureListenerType,
        arguments -> action.accept((Throwable) arguments[1]));
  }

  private static void add(
      MethodHandle adder, Object task, Class<?> type, Consumer<Object[]> action) {
    Object listener =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> listenerCall(proxy, method, arguments, action));
    try {
      Object same = adder.invokeExact(task, listener);
      assert same == task;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static Object listenerCall(
      Object proxy, Method method, Object[] arguments, Consumer<Object[]> action) {
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "end of a task attempt under fault injection";
      default -> {
        action.accept(arguments);
        yield null;
      }
    };
  }

  /** The executor's id ({@code driver} on the driver), or null before Spark has started. */
  String executorId() {
    try {
      Object env = currentEnv.invokeExact();
      return env == null ? null : (String) executorId.invokeExact(env);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The application's id; Spark has started. */
  String applicationId() {
    try {
      Object env = currentEnv.invokeExact();
      Object settings = conf.invokeExact(env);
      return (String) applicationId.invokeExact(settings);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof RuntimeException exception) {
      return exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("asking Spark's task context failed", thrown);
  }
}
