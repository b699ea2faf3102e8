package io.spillway.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The program of a driver whose executors are processes of their own. Knows nothing of the agent.
 */
public final class ClusterJob {
  /** The tasks that this executor has begun; it runs one at a time. */
  private static final AtomicInteger BEGUN = new AtomicInteger();

  private ClusterJob() {}

  /**
   * Takes all of its settings from system properties; prints executor and attempt of each task.
   *
   * @param arguments an empty folder in which the executors meet
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    SparkContext spark = new SparkContext();
    try {
      JavaSparkContext java = JavaSparkContext.fromSparkContext(spark);
      // Both executors are there before the first task, so that each gets some.
      await("the executors", () -> spark.statusTracker().getExecutorInfos().length == 3);
      String folder = arguments[0];
      List<Integer> parts = IntStream.range(0, 16).boxed().toList();
      java.parallelize(parts, parts.size())
          .map(
              part -> {
                meetTheOther(Path.of(folder));
                return "task on executor "
                    + SparkEnv.get().executorId()
                    + ", attempt "
                    + TaskContext.get().attemptNumber();
              })
          .collect()
          .forEach(System.out::println);
    } finally {
      spark.stop();
    }
  }

  /** Each executor begins a task when the other one does: both run half of them. */
  private static void meetTheOther(Path folder) throws IOException {
    String turn = "-" + BEGUN.incrementAndGet();
    String executor = SparkEnv.get().executorId();
    Files.createFile(folder.resolve(executor + turn));
    Path other = folder.resolve((executor.equals("0") ? "1" : "0") + turn);
    await("the other executor", () -> Files.exists(other));
  }

  private static void await(String what, BooleanSupplier isThere) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!isThere.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited in vain for " + what);
      }
      Thread.onSpinWait();
    }
  }
}
