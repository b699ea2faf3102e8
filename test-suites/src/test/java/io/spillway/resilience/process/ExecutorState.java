package io.spillway.resilience.process;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySnapshot;
import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * An executor while none of its tasks has memory, as one of its own tasks sees it.
 *
 * @param executor Spark's id
 * @param pid of its process
 * @param executionBytes execution memory by Spark's own figures
 * @param usedBytes in Spillway's ledger
 * @param blocks in Spillway's ledger
 * @param reservedBytes that Spillway has reserved with Spark
 * @param leakedBytes that successful tasks left live so far
 * @param files temporary blocks in its local directories: spills
 */
public record ExecutorState(
    String executor,
    long pid,
    long executionBytes,
    long usedBytes,
    long blocks,
    long reservedBytes,
    long leakedBytes,
    List<String> files)
    implements Serializable {
  private static final int TASKS = 8;

  /** Those of the executors that get one of a few short tasks. */
  static List<ExecutorState> ask(JavaSparkContext context) {
    List<Integer> tasks = IntStream.range(0, TASKS).boxed().toList();
    return context.parallelize(tasks, TASKS).map(task -> here()).collect();
  }

  /** That of the process in which it is called. */
  private static ExecutorState here() {
    SparkEnv env = SparkEnv.get();
    MemorySnapshot ledger = ExecutorMemory.installed().orElseThrow().snapshot();
    return new ExecutorState(
        env.executorId(),
        ProcessHandle.current().pid(),
        env.memoryManager().executionMemoryUsed(),
        ledger.usedBytes(),
        ledger.blocks(),
        ledger.reservedBytes(),
        ledger.leakedBytes(),
        files(env.blockManager().diskBlockManager().localDirs()));
  }

  /** Whether nothing is left. */
  public boolean clean() {
    return executionBytes == 0
        && usedBytes == 0
        && blocks == 0
        && reservedBytes == 0
        && leakedBytes == 0
        && files.isEmpty();
  }

  private static List<String> files(File[] directories) {
    List<String> found = new ArrayList<>();
    for (File directory : directories) {
      for (File bucket : list(directory)) {
        for (File file : list(bucket)) {
          // As Spark names the files of createTempLocalBlock.
          if (file.getName().startsWith("temp_local_")) {
            found.add(file.toString());
          }
        }
      }
    }
    return found;
  }

  private static File[] list(File directory) {
    File[] files = directory.listFiles();
    return files == null ? new File[0] : files;
  }
}
