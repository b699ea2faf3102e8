package io.spillway.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Allocating and freeing through an operator's allocator, or through Arrow alone on the same page
 * source. Each thread is a task of its own, in one executor.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AllocationBenchmark {
  /** Blocks that are live at the same time in {@link #batch}. */
  static final int BATCH_BLOCKS = 16;

  private static final long OFF_HEAP_BYTES = 1L << 30;

  /** Which of the two is measured. */
  public enum Side {
    /** Arrow on the page source. */
    BARE,
    /** Reservation, page source, ledger. */
    SPILLWAY
  }

  /** What the threads share. */
  @State(Scope.Benchmark)
  public static class Executor {
    private final PageSource pages = new PageSource();
    private final AtomicInteger workers = new AtomicInteger();
    private BenchExecutor executor;

    /** Before the threads begin. */
    @Setup
    public void open(BenchmarkParams benchmark) {
      workers.set(benchmark.getThreads());
      executor = new BenchExecutor(OFF_HEAP_BYTES, pages);
    }

    /** The last of the workers closes it: JMH may end what they share before their own states. */
    private void left() {
      if (workers.decrementAndGet() == 0) {
        executor.requireEmpty();
        executor.close();
      }
    }
  }

  /** A thread's task, or its bare allocator. */
  @State(Scope.Thread)
  public static class Worker {
    /** Which side. */
    @Param public Side side;

    /** Size of each block in bytes. */
    @Param({"4096", "65536"})
    public long bytes;

    private final ArrowBuf[] live = new ArrowBuf[BATCH_BLOCKS];
    private BenchTask task;
    private BareAllocator bare;
    private BufferAllocator allocator;
    private long callsBefore;

    /** On the worker's own thread, which becomes the task's. */
    @Setup
    public void open(Executor shared) {
      task = shared.executor.task();
      if (side == Side.SPILLWAY) {
        allocator = shared.executor.open(task).operator("Benchmark", null).allocator();
      } else {
        bare = new BareAllocator(shared.pages);
        allocator = bare.allocator();
      }
    }

    /** Calls are counted by iteration. */
    @Setup(Level.Iteration)
    public void startCounting() {
      callsBefore = task.calls();
    }

    /** Ends the task; nothing may be left then. */
    @TearDown
    public void close(Executor shared) {
      task.complete();
      if (bare != null) {
        bare.close();
      }
      shared.left();
    }
  }

  /** Events of an iteration. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Counters {
    /** Blocks allocated and freed. */
    public long pairs;

    /** Calls into Spark's {@code TaskMemoryManager}. */
    public long sparkCalls;
  }

  /** One block comes and goes. */
  @Benchmark
  public void pair(Worker worker, Counters counters) {
    worker.allocator.buffer(worker.bytes).close();
    counters.pairs++;
    counters.sparkCalls = worker.task.calls() - worker.callsBefore;
  }

  /** The blocks of a batch come, then they go. */
  @Benchmark
  @OperationsPerInvocation(BATCH_BLOCKS)
  public void batch(Worker worker, Counters counters) {
    ArrowBuf[] live = worker.live;
    for (int i = 0; i < BATCH_BLOCKS; i++) {
      live[i] = worker.allocator.buffer(worker.bytes);
    }
    for (ArrowBuf block : live) {
      block.close();
    }
    counters.pairs += BATCH_BLOCKS;
    counters.sparkCalls = worker.task.calls() - worker.callsBefore;
  }
}
