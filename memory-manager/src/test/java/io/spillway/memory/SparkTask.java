package io.spillway.memory;

import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import scala.Option;
import scala.collection.immutable.Map$;

/** A task attempt with Spark's real memory management, ended the way Spark's executor ends one. */
final class SparkTask {
  private final TaskMemoryManager manager;
  private final Properties properties = new Properties();
  private final TaskContextImpl context;
  private final AtomicLong overReleasedBytes = new AtomicLong();

  /** What a request asks Spark for in truth: less of it is a partial grant, 0 none. */
  private volatile LongUnaryOperator grants = LongUnaryOperator.identity();

  /** Runs inside each request to Spark, and each return. */
  private volatile Runnable onCall = () -> {};

  SparkTask(MemoryManager memory, long attemptId) {
    manager =
        new TaskMemoryManager(memory, attemptId) {
          @Override
          public long acquireExecutionMemory(long required, MemoryConsumer consumer) {
            onCall.run();
            long asked = grants.applyAsLong(required);
            return asked == 0 ? 0 : super.acquireExecutionMemory(asked, consumer);
          }

          @Override
          public void releaseExecutionMemory(long size, MemoryConsumer consumer) {
            onCall.run();
            overReleasedBytes.addAndGet(Math.max(0, size - getMemoryConsumptionForThisTask()));
            super.releaseExecutionMemory(size, consumer);
          }
        };
    context =
        new TaskContextImpl(
            3,
            0,
            (int) attemptId,
            attemptId,
            0,
            1,
            manager,
            properties,
            null,
            TaskMetrics.empty(),
            1,
            Map$.MODULE$.empty());
  }

  static SparkConf conf(long offHeapBytes) {
    return new SparkConf(false)
        .set("spark.master", "local[2]")
        .set("spark.memory.offHeap.enabled", "true")
        .set("spark.memory.offHeap.size", Long.toString(offHeapBytes))
        .set(MemorySettings.WAIT_INITIAL, "1ms")
        .set(MemorySettings.WAIT_ATTEMPTS, "3");
  }

  static MemoryManager memory(SparkConf conf) {
    return new UnifiedMemoryManager(conf, 64 << 20, 32 << 20, 2);
  }

  TaskContext context() {
    return context;
  }

  /** Makes it a task of one of Spark's SQL queries. */
  SparkTask ofQuery(long id) {
    properties.setProperty("spark.sql.execution.id", Long.toString(id));
    return this;
  }

  TaskMemoryManager manager() {
    return manager;
  }

  void onCall(Runnable inside) {
    onCall = inside;
  }

  void grants(LongUnaryOperator askedInTruth) {
    grants = askedInTruth;
  }

  /** Released to Spark although the task did not have it: Spark only logs that. */
  long overReleasedBytes() {
    return overReleasedBytes.get();
  }

  /** What Spark thinks that this task holds. */
  long sparkBytes() {
    return manager.getMemoryConsumptionForThisTask();
  }

  void kill() {
    context.markInterrupted("killed by the test");
  }

  /** Listeners run; Spark's own clean-up is the next call. */
  void complete() {
    context.markTaskCompleted(Option.empty());
  }

  /** Listeners run; Spark's own clean-up is the next call. */
  void fail(Throwable failure) {
    context.markTaskFailed(failure);
    context.markTaskCompleted(Option.apply(failure));
  }

  /** Bytes that the listeners had left for Spark to take back. */
  long sparkCleansUp() {
    return manager.cleanUpAllAllocatedMemory();
  }
}
