package io.spillway.chaos;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.unsafe.Platform;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import scala.Option;
import scala.collection.immutable.Map$;

/**
 * One call through a seam, in a running task: the bare method, or the same one instrumented for a
 * plan none of whose rules matches. Whether the agent is there is decided by the JVM's arguments;
 * the benchmark checks that it is as it should be.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SeamBenchmark {
  private static final long HEAP_BYTES = 64L << 20;

  /** Which of the two is measured. */
  public enum Side {
    /** No agent in this JVM. */
    BARE,
    /** The agent with an armed plan. */
    ARMED
  }

  /** Which side. */
  @Param public Side side;

  private TaskContextImpl context;
  private long memory;

  /** On the thread that becomes the task's. */
  @Setup
  public void start() {
    TaskMemoryManager manager =
        new TaskMemoryManager(
            new UnifiedMemoryManager(new SparkConf(false), HEAP_BYTES, HEAP_BYTES / 2, 1), 1);
    context =
        new TaskContextImpl(
            1,
            0,
            0,
            1,
            0,
            1,
            manager,
            new Properties(),
            null,
            TaskMetrics.empty(),
            1,
            Map$.MODULE$.empty());
    TaskContext$.MODULE$.setTaskContext(context);
    memory = Platform.allocateMemory(16);
    Platform.putInt(null, memory, 1);
  }

  /** A seam that does next to nothing: a task asks whether it was killed. */
  @Benchmark
  public void killCheck() {
    context.killTaskIfInterrupted();
  }

  /** The native façade with the smallest of kernels. */
  @Benchmark
  public long kernelCall() {
    return Kernels.widen(Abi.T_I32, memory, 1, memory + 8);
  }

  /** Ends the task; an armed side that reached nothing has measured nothing. */
  @TearDown
  public void end() {
    context.markTaskCompleted(Option.empty());
    TaskContext$.MODULE$.unset();
    Platform.freeMemory(memory);
    long reached =
        ChaosAgent.current()
            .map(c -> c.points().stream().mapToLong(PointStatus::reached).sum())
            .orElse(-1L);
    if (side == Side.BARE ? reached >= 0 : reached <= 0) {
      throw new IllegalStateException(side + " has reached the agent " + reached + " times");
    }
  }
}
