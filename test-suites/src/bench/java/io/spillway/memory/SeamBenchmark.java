package io.spillway.memory;

import io.spillway.chaos.ChaosAgent;
import io.spillway.chaos.PointStatus;
import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext$;
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

/**
 * One call through a seam, in a running task: the bare method, or the same one instrumented for a
 * plan none of whose rules matches. Whether the agent is there is decided by the JVM's arguments;
 * the benchmark checks that it is as it should be.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SeamBenchmark {
  private static final long OFF_HEAP_BYTES = 64L << 20;

  /** Which of the two is measured. */
  public enum Side {
    /** No agent in this JVM. */
    BARE,
    /** The agent with an armed plan. */
    ARMED
  }

  /** Which side. */
  @Param public Side side;

  private BenchExecutor executor;
  private BenchTask task;
  private OperatorMemory operator;
  private long memory;

  /** On the thread that becomes the task's. */
  @Setup
  public void start() {
    executor = new BenchExecutor(OFF_HEAP_BYTES, new PageSource());
    // An executor's first task is asked more: nobody has told the agent yet that tasks end.
    executor.task().complete();
    task = executor.task();
    TaskContext$.MODULE$.setTaskContext(task.context());
    operator = executor.open(task).operator("Benchmark", null);
    memory = operator.allocate(16).address();
    Platform.putInt(null, memory, 1);
  }

  /** An operator starts a batch. */
  @Benchmark
  public void batch() {
    operator.batchBoundary();
  }

  /** The native façade with the smallest of kernels. */
  @Benchmark
  public long kernel() {
    return Kernels.widen(Abi.T_I32, memory, 1, memory + 8);
  }

  /** Ends the task; an armed side that reached nothing has measured nothing. */
  @TearDown
  public void end() {
    task.complete();
    TaskContext$.MODULE$.unset();
    executor.requireEmpty();
    executor.close();
    long reached =
        ChaosAgent.current()
            .map(c -> c.points().stream().mapToLong(PointStatus::reached).sum())
            .orElse(-1L);
    if (side == Side.BARE ? reached >= 0 : reached <= 0) {
      throw new IllegalStateException(side + " has reached the agent " + reached + " times");
    }
  }
}
