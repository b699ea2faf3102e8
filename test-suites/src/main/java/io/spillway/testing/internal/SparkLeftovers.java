package io.spillway.testing.internal;

import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkEnv;

/** Execution memory, on and off the heap, by Spark's own figures. */
final class SparkLeftovers implements Leftovers {
  @Override
  public Set<String> now() {
    Set<String> left = new TreeSet<>();
    SparkEnv env = SparkEnv.get();
    if (env != null) {
      long bytes = env.memoryManager().executionMemoryUsed();
      if (bytes != 0) {
        left.add(bytes + " bytes of Spark's execution memory");
      }
    }
    return left;
  }
}
