package io.spillway.chaos;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The program of a driver whose executors are processes of their own. Knows nothing of the agent.
 */
public final class ClusterJob {
  private ClusterJob() {}

  /** Takes all of its settings from system properties; prints executor and attempt of each task. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    SparkContext spark = new SparkContext();
    try {
      JavaSparkContext java = JavaSparkContext.fromSparkContext(spark);
      // Both executors are there before the first task, so that each gets some.
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (spark.statusTracker().getExecutorInfos().length < 3) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the executors do not come");
        }
        Thread.onSpinWait();
      }
      List<Integer> parts = IntStream.range(0, 16).boxed().toList();
      java.parallelize(parts, parts.size())
          .map(
              part -> {
                // Long enough that no executor takes all tasks.
                TimeUnit.MILLISECONDS.sleep(200);
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
}
