package io.spillway.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.apache.spark.unsafe.Platform;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The end of a task that left 100,000 blocks live, all of them in use: what an executor's task
 * thread spends before it can take the next task.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class ScopeCloseBenchmark {
  private static final int BLOCKS = 100_000;
  private static final long OFF_HEAP_BYTES = 16L << 30;

  /** Who holds the blocks. */
  public enum Held {
    /** The operator's own handles. */
    BLOCKS,
    /** Arrow buffers that nobody released. */
    BUFFERS
  }

  /** Who holds the blocks. */
  @Param public Held held;

  /** Size of each block in bytes. */
  @Param({"256", "4096", "65536"})
  public long bytes;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private BenchExecutor executor;
  private BenchTask task;

  /** The blocks, each touched. */
  @Setup(Level.Iteration)
  public void fill() {
    executor = new BenchExecutor(OFF_HEAP_BYTES, new PageSource());
    task = executor.task();
    OperatorMemory operator = executor.open(task).operator("Benchmark", null);
    for (int i = 0; i < BLOCKS; i++) {
      long address =
          held == Held.BLOCKS
              ? operator.allocate(bytes).address()
              : operator.allocator().buffer(bytes).memoryAddress();
      Platform.putLong(null, address, i);
    }
  }

  /** Processor time of the thread that closes; the process's would count the filling too. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Closer {
    /** User's and system's. */
    public long threadCpuNanos;
  }

  /** The task's completion listener closes its scope. */
  @Benchmark
  public void close(Closer closer) {
    long startNanos = threads.getCurrentThreadCpuTime();
    task.complete();
    closer.threadCpuNanos += threads.getCurrentThreadCpuTime() - startNanos;
  }

  /** Nothing may be left. */
  @TearDown(Level.Iteration)
  public void check() {
    executor.requireEmpty();
    executor.close();
  }
}
