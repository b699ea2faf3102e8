package io.spillway.chaos.internal.dispatch;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * What Spark says about this JVM as a whole: its off-heap pools and its local directories. Never
 * asked from a point, only from the report's own thread: Spark's memory manager has a lock.
 */
public final class SparkFigures {
  private final MethodHandle env;
  private final MethodHandle memory;
  private final MethodHandle offHeapExecution;
  private final MethodHandle offHeapStorage;
  private final MethodHandle onHeapExecution;
  private final MethodHandle blocks;
  private final MethodHandle disk;
  private final MethodHandle directories;

  private SparkFigures(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> envType = Class.forName("org.apache.spark.SparkEnv", false, loader);
    Class<?> memoryType = Class.forName("org.apache.spark.memory.MemoryManager", false, loader);
    Class<?> blocksType = Class.forName("org.apache.spark.storage.BlockManager", false, loader);
    Class<?> diskType = Class.forName("org.apache.spark.storage.DiskBlockManager", false, loader);
    env = SparkHandles.currentEnv(envType);
    memory = SparkHandles.sparkGetter(envType, "memoryManager", memoryType);
    offHeapExecution = SparkHandles.getter(memoryType, "offHeapExecutionMemoryUsed", long.class);
    offHeapStorage = SparkHandles.getter(memoryType, "offHeapStorageMemoryUsed", long.class);
    onHeapExecution = SparkHandles.getter(memoryType, "onHeapExecutionMemoryUsed", long.class);
    blocks = SparkHandles.sparkGetter(envType, "blockManager", blocksType);
    disk = SparkHandles.sparkGetter(blocksType, "diskBlockManager", diskType);
    directories = SparkHandles.getter(diskType, "localDirs", File[].class);
  }

  /** The Spark that a class loader finds; empty if it is not one that the agent knows. */
  public static Optional<SparkFigures> of(ClassLoader loader) {
    try {
      return Optional.of(new SparkFigures(loader));
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }

  /**
   * The pools now.
   *
   * @return empty before Spark has started and after it has stopped
   */
  public Optional<Pools> pools() {
    try {
      Object now = env.invokeExact();
      if (now == null) {
        return Optional.empty();
      }
      Object manager = memory.invokeExact(now);
      return manager == null
          ? Optional.empty()
          : Optional.of(
              new Pools(
                  (long) offHeapExecution.invokeExact(manager),
                  (long) offHeapStorage.invokeExact(manager),
                  (long) onHeapExecution.invokeExact(manager)));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Spark's local directories, where spills lie; none before it has started. */
  public List<File> localDirectories() {
    try {
      Object now = env.invokeExact();
      Object manager = now == null ? null : blocks.invokeExact(now);
      if (manager == null) {
        return List.of();
      }
      Object files = disk.invokeExact(manager);
      return List.of((File[]) directories.invokeExact(files));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception
        ? exception
        : new IllegalStateException("asking Spark for its figures failed", thrown);
  }

  /** Bytes of Spark's memory pools in this JVM. */
  public record Pools(
      long offHeapExecutionBytes, long offHeapStorageBytes, long onHeapExecutionBytes) {}
}
