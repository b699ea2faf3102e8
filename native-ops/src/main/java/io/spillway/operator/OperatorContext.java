package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemoryBudget;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.Spillable;
import io.spillway.memory.TaskMemory;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.TaskCompletionListener;

/**
 * What an operator's iterator runs in: its memory, its task's budget, its metrics. Opened on the
 * task's thread or on one that reads for it, closed when its input ends or by a listener of the
 * task; the task's scope is the backstop.
 */
final class OperatorContext {
  private static final int FEWEST_ROWS = Abi.EVAL_MIN_CHUNK_ROWS;

  private final OperatorMemory memory;
  private final MemoryBudget budget;

  private OperatorContext(OperatorMemory memory, MemoryBudget budget) {
    this.memory = memory;
    this.budget = budget;
  }

  /**
   * Opens an iterator of the current task, on its thread or on one that reads for it: {@code
   * RDD.pipe} opens its input on a thread of its own, which Spark does not join at the task's end.
   *
   * @param opening makes the iterator, and with it its operator
   * @return what it made, or an empty iterator if the task has ended
   */
  static <T> Iterator<T> iterator(String name, Supplier<Iterator<T>> opening) {
    TaskMemory task = taskMemory(name);
    return task.onHelperThread(
        () -> BlamedIterator.open(name, task, opening), Collections.emptyIterator());
  }

  /**
   * Opens an operator in the current task.
   *
   * @param spillable null if the operator holds no state that it could spill
   * @throws IllegalStateException if Spillway's plugin does not run in this executor
   */
  static OperatorContext open(String name, Spillable spillable, OperatorMetrics metrics) {
    TaskMemory taskMemory = taskMemory(name);
    OperatorMemory memory = taskMemory.operator(name, spillable);
    // Registered after the scope's own listener, hence run before it. What an operator still holds
    // when its task succeeds (buffers, or state if a limit stopped it) is given back here; after a
    // failure the scope reclaims it and says how much it was.
    TaskContext.get()
        .addTaskCompletionListener(
            (TaskCompletionListener)
                context -> {
                  // Before anything goes that a reader may look at, Spark's vectors included.
                  boolean alone = taskMemory.awaitHelpers();
                  metrics.memory(memory.spilledBytes(), memory.peakBytes());
                  if (alone && !context.isFailed() && !context.isInterrupted()) {
                    memory.close();
                  }
                });
    return new OperatorContext(memory, taskMemory.budget());
  }

  /**
   * The memory of the current task.
   *
   * @param operator for the message
   * @throws IllegalStateException if this executor has no kernels, or Spillway's plugin does not
   *     run in it
   */
  static TaskMemory taskMemory(String operator) {
    return ExecutorMemory.installed()
        .orElseThrow(
            () -> new IllegalStateException(withoutMemory(operator, Kernels.unavailableReason())))
        .task(TaskContext.get());
  }

  /**
   * Why an operator has no memory, and what to do.
   *
   * @param unavailable why there are no kernels here; null if there are
   */
  static String withoutMemory(String operator, String unavailable) {
    if (unavailable != null) {
      return operator + " cannot run in this executor: " + unavailable;
    }
    return "Spillway's executor plugin is not running here, so "
        + operator
        + " has no memory: set spark.plugins=io.spillway.SpillwayPlugin when the"
        + " application starts and give its jar to every executor";
  }

  /** Gives back what the operator holds when its input has ended: a task may read many inputs. */
  void end() {
    memory.close();
  }

  OperatorMemory memory() {
    return memory;
  }

  MemoryBudget budget() {
    return budget;
  }

  /**
   * The most rows of a batch whose columns are of these types: the budget's, fewer for wide rows,
   * so that one batch takes an eighth of the task's share at the most (or 64 rows do).
   */
  int batchRows(List<DataType> types) {
    long rowBytes = 1;
    for (DataType type : types) {
      // A column that kernels have no form for is not read.
      OptionalInt nativeType = NativeTypes.of(type);
      rowBytes += nativeType.isPresent() ? 1 + NativeTypes.width(nativeType.getAsInt()) : 0;
    }
    long fitting = Long.highestOneBit(Math.max(1, budget.shareBytes() / 8 / rowBytes));
    return (int) Math.max(FEWEST_ROWS, Math.min(budget.batchRows(), fitting));
  }

  /** The most bytes that the strings of one slice should take together. */
  long textLimitBytes() {
    return budget.shareBytes() / 8;
  }

  /** The most bytes that one cached dictionary may take. */
  long dictionaryLimitBytes() {
    return budget.shareBytes() / 16;
  }
}
