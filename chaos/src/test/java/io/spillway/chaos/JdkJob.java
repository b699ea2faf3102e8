package io.spillway.chaos;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A job whose tasks take direct buffers and survive the loss of one. Knows nothing of the agent.
 */
public final class JdkJob {
  private JdkJob() {}

  /** Runs it on two threads; prints what each of its two tasks was denied. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) {
    SparkContext spark = ChaosFixture.spark("local[2,4]");
    try {
      JavaSparkContext.fromSparkContext(spark)
          .parallelize(List.of(0, 1), 2)
          .mapPartitions(JdkJob::task)
          .collect()
          .forEach(System.out::println);
    } finally {
      spark.stop();
    }
  }

  private static Iterator<String> task(Iterator<Integer> rows) {
    List<String> denied = new ArrayList<>();
    for (int block = 1; block <= 5; block++) {
      try {
        ByteBuffer unused = ByteBuffer.allocateDirect(4096);
      } catch (OutOfMemoryError e) {
        denied.add("block " + block + ": " + e.getMessage());
      }
    }
    return denied.iterator();
  }
}
