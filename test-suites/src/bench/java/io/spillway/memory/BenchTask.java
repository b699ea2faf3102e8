package io.spillway.memory;

import java.util.Properties;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.TaskMemoryManager;
import scala.Option;
import scala.collection.immutable.Map$;

/** A task attempt with Spark's real memory management, which counts the calls into it. */
final class BenchTask {
  private final TaskContextImpl context;
  private long calls;

  /**
   * An attempt that has started.
   *
   * @param spark the executor's memory
   * @param attemptId unique in the executor
   */
  BenchTask(MemoryManager spark, long attemptId) {
    TaskMemoryManager manager =
        new TaskMemoryManager(spark, attemptId) {
          @Override
          public long acquireExecutionMemory(long required, MemoryConsumer consumer) {
            calls++;
            return super.acquireExecutionMemory(required, consumer);
          }

          @Override
          public void releaseExecutionMemory(long size, MemoryConsumer consumer) {
            calls++;
            super.releaseExecutionMemory(size, consumer);
          }
        };
    context =
        new TaskContextImpl(
            1,
            0,
            (int) attemptId,
            attemptId,
            0,
            1,
            manager,
            new Properties(),
            null,
            TaskMetrics.empty(),
            1,
            Map$.MODULE$.empty());
  }

  TaskContextImpl context() {
    return context;
  }

  /** Calls that took from Spark's memory manager or gave back to it; on the task's thread. */
  long calls() {
    return calls;
  }

  /** The attempt succeeds: its listeners run, ours closes the scope. */
  void complete() {
    context.markTaskCompleted(Option.empty());
  }
}
