package io.spillway.memory;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * One thing that tasks share, or will: built by the first that asks, awaited by the others. The
 * fields that are not final are guarded by {@link SharedMemory}.
 */
final class SharedEntry {
  private static final long LOOK_MILLIS = 50;

  final String key;
  final SharedRegion region;
  private final CompletableFuture<Object> value = new CompletableFuture<>();

  /** The thread that builds, until it is done. */
  private volatile Thread builder = Thread.currentThread();

  /** Its task, until it is done. */
  private volatile TaskMemory builderTask;

  int leases;
  long lastUse;

  /** When its last lease was closed, by {@link System#nanoTime}. */
  long unusedSinceNanos;

  /** The queries whose tasks have asked for it; an empty string for a task of none. */
  final Set<String> queries = new HashSet<>();

  /** No further lease; freed with the last one. */
  boolean dropped;

  /**
   * An entry that the calling thread builds.
   *
   * @param key names it
   * @param region where its memory comes from
   * @param builderTask for which it is built first
   */
  SharedEntry(String key, SharedRegion region, TaskMemory builderTask) {
    this.key = key;
    this.region = region;
    this.builderTask = builderTask;
  }

  boolean isBuilt() {
    return value.isDone() && !value.isCompletedExceptionally();
  }

  /**
   * Whether it can go once these queries have ended. Nobody hears of the end of a task that belongs
   * to none: for such, memory is kept for a while, and files, which nobody ever needs the room of,
   * are not.
   */
  boolean isOver(Set<String> ended) {
    boolean hasFiles = region.hasFiles();
    return queries.stream().allMatch(query -> query.isEmpty() ? hasFiles : ended.contains(query));
  }

  /**
   * Whether a task has asked for it of whose end nobody hears, and none has used it for so long.
   */
  boolean isIdle(long nowNanos, long idleNanos) {
    return queries.contains("") && nowNanos - unusedSinceNanos >= idleNanos;
  }

  /** The thread that builds it now, or null. */
  Thread builder() {
    return builder;
  }

  /** Whether the thread that builds has stood still for long, and spills nothing. */
  boolean isBuilderStalled() {
    Thread thread = builder;
    TaskMemory task = builderTask;
    return thread != null
        && task != null
        && task.stall().isLong(thread)
        && !task.spilling().isUnderWay();
  }

  void built(Object shared) {
    builder = null;
    builderTask = null;
    value.complete(shared);
  }

  void failed(Throwable failure) {
    builder = null;
    builderTask = null;
    value.completeExceptionally(failure);
  }

  /**
   * Waits for the task that builds; null if it failed, or may never be done. Meanwhile the waiting
   * task spills when others ask; it ends if it is killed.
   *
   * @param task that waits
   * @param stuck asked again and again, on this thread: whether it is no use to wait on
   * @throws IllegalStateException if the waiting task has ended, or its thread is interrupted
   */
  Object await(TaskMemory task, BooleanSupplier stuck) {
    task.stall().begin();
    try {
      return awaitBuilt(task, stuck);
    } finally {
      task.stall().end();
    }
  }

  private Object awaitBuilt(TaskMemory task, BooleanSupplier stuck) {
    while (true) {
      try {
        return value.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // Of a thread beside the task's own, for which the task's end waits.
        if (task.context().isCompleted()) {
          throw new IllegalStateException(
              "task " + task.taskAttemptId() + " has ended while another task builds " + key);
        }
        // The builder may need what this task holds.
        task.atBatchBoundary();
        if (stuck.getAsBoolean()) {
          return null;
        }
      } catch (ExecutionException e) {
        return null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        task.endIfKilled();
        throw new IllegalStateException("interrupted while another task builds " + key, e);
      }
    }
  }
}
