package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.internal.dispatch.TaskJournal.MemoryLeft;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Reads from a task's memory manager what Spark's clean-up is about to take back, and from whom.
 * Any thread; calls Spark with no lock held.
 */
final class ConsumersLeft {
  private static final int NAMED_OWNERS = 10;

  private final MethodHandle consumption;
  private final Field taskAttemptId;
  private final Field consumers;

  private final MethodHandle used;

  /**
   * @param managerType Spark's {@code TaskMemoryManager}
   * @throws ReflectiveOperationException if this is not a Spark that the agent knows
   */
  ConsumersLeft(Class<?> managerType) throws ReflectiveOperationException {
    consumption = SparkHandles.getter(managerType, "getMemoryConsumptionForThisTask", long.class);
    taskAttemptId = accessible(managerType, "taskAttemptId");
    consumers = accessible(managerType, "consumers");
    Class<?> consumerType =
        Class.forName(
            "org.apache.spark.memory.MemoryConsumer", false, managerType.getClassLoader());
    used = SparkHandles.getter(consumerType, "getUsed", long.class);
  }

  private static Field accessible(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Whose memory manager it is. */
  long taskAttemptId(Object manager) {
    try {
      return taskAttemptId.getLong(manager);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field made accessible cannot be read", e);
    }
  }

  /** What is still charged to the task. */
  MemoryLeft of(Object manager) {
    try {
      long bytes = (long) consumption.invokeExact(manager);
      return bytes <= 0 ? MemoryLeft.NONE : new MemoryLeft(bytes, owners(manager));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("asking Spark's task memory manager failed", e);
    }
  }

  private List<String> owners(Object manager) throws Throwable {
    List<String> owners = new ArrayList<>();
    // Spark's own guard of the set; nothing of ours is locked, and Spark is called after it.
    List<Object> all;
    synchronized (manager) {
      all = new ArrayList<>((Collection<?>) consumers.get(manager));
    }
    for (Object consumer : all) {
      long bytes = (long) used.invokeExact(consumer);
      if (bytes > 0 && owners.size() < NAMED_OWNERS) {
        owners.add(OperatorNames.of(consumer) + " " + bytes + " bytes");
      }
    }
    return owners;
  }
}
