package io.spillway.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The catalogue of places where a fault can be injected: the seams, the signatures that they must
 * have, the faults that they can carry, and what the code behind them makes of those.
 *
 * <p>To add a point: a constant here, an advice class in {@code internal.advice} with its line in
 * {@code internal.install.AdviceCatalogue}, one method in the dispatcher.
 */
public enum FaultPoint {
  /** A memory consumer asks Spark for execution memory. */
  MEMORY_ACQUIRE(
      "memory.acquire",
      "a memory consumer asks Spark for execution memory",
      "every consumer: Spark itself grants less whenever memory is short; it spills, or its task"
          + " fails",
      Calls.DEMAND_DRIVEN,
      true,
      List.of(
          new Seam(
              "org.apache.spark.memory.TaskMemoryManager",
              "acquireExecutionMemory",
              "(JLorg/apache/spark/memory/MemoryConsumer;)J")),
      Fault.ShortGrant.ID,
      Fault.Delay.ID),

  /** Spark takes an off-heap page. */
  MEMORY_PAGE(
      "memory.page",
      "Spark takes an off-heap page",
      "Spark asks again for another page, and keeps what it could not take charged to the task",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(
          new Seam(
              "org.apache.spark.unsafe.memory.UnsafeMemoryAllocator",
              "allocate",
              "(J)Lorg/apache/spark/unsafe/memory/MemoryBlock;")),
      Fault.OutOfMemory.ID,
      Fault.Delay.ID),

  /** Spillway takes a native block. */
  NATIVE_ALLOC(
      "native.alloc",
      "Spillway takes a native block",
      "Spillway's pressure ladder, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(new Seam("io.spillway.memory.PageSource", "allocate", "(J)J")),
      Fault.OutOfMemory.ID,
      Fault.Delay.ID),

  /** Spillway has taken a native block and is about to enter it into its ledger. */
  NATIVE_REGISTER(
      "native.register",
      "Spillway has a native block and is about to enter it into its ledger",
      "Spillway gives block and reservation back and fails the task, since 0.1",
      Calls.DEMAND_DRIVEN,
      true,
      List.of(
          new Seam(
              "io.spillway.memory.LedgeredBlock",
              "<init>",
              "(Lio/spillway/memory/OperatorMemory;JJLjava/lang/Throwable;)V")),
      Fault.CallError.ID,
      Fault.OutOfMemory.ID),

  /** Spillway calls a native kernel. */
  KERNEL_CALL(
      "kernel.call",
      "Spillway calls a native kernel",
      "fails the task, since 0.1",
      // An aggregation repeats a call when it needs a page, and calls more when it has spilled.
      Calls.DEMAND_DRIVEN,
      false,
      List.of(Seam.everyStatic("io.spillway.kernel.Kernels", "J")),
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** Spillway creates a spill file in one local directory. */
  SPILL_OPEN(
      "spill.open",
      "Spillway creates a spill file in one local directory",
      "Spillway tries the next local directory, then fails the task, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(
          new Seam(
              "io.spillway.memory.spill.SpillStore",
              "open",
              "(Ljava/io/File;)Ljava/nio/channels/FileChannel;")),
      Fault.DiskFull.ID,
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** Spillway writes one frame of a spill. */
  SPILL_WRITE(
      "spill.write",
      "Spillway writes one frame of a spill",
      "fails the task, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(new Seam("io.spillway.memory.spill.SegmentWriter", "write", "(JIII)V")),
      Fault.DiskFull.ID,
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** Spillway ends a segment of a spill and flushes codec and cipher. */
  SPILL_FLUSH(
      "spill.flush",
      "Spillway ends a segment of a spill and flushes codec and cipher",
      "the segment does not count and the task fails, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(
          new Seam(
              "io.spillway.memory.spill.SegmentWriter",
              "finish",
              "()Lio/spillway/memory/spill/SpillSegment;")),
      Fault.DiskFull.ID,
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** Spillway reads stored bytes of a spill, below codec and cipher. */
  SPILL_READ(
      "spill.read",
      "Spillway reads stored bytes of a spill, below codec and cipher",
      "fails the task, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(new Seam("io.spillway.memory.spill.SpillInput", "read", "([BII)I")),
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** Spillway has closed and deleted one of a spill's files; the fault reports that as failed. */
  SPILL_DELETE(
      "spill.delete",
      "Spillway has closed and deleted one file of a spill, and is told that it failed",
      "logged, the job goes on, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(new Seam("io.spillway.memory.spill.SpillPart", "close", "()V")),
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** Spillway has closed a spill with all its files; the fault reports that as failed. */
  SPILL_CLOSE(
      "spill.close",
      "Spillway has closed a spill with all its files, and is told that it failed",
      "the operator's other resources are closed all the same and the task fails, since 0.1",
      Calls.DEMAND_DRIVEN,
      false,
      List.of(new Seam("io.spillway.memory.spill.SpillFile", "close", "()V")),
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** A map task starts to write its shuffle output. */
  SHUFFLE_WRITE(
      "shuffle.write",
      "a map task starts to write its shuffle output",
      "Spark fails the task",
      Calls.DATA_DRIVEN,
      false,
      List.of(
          new Seam(
              "org.apache.spark.shuffle.ShuffleWriteProcessor",
              "write",
              "(Lorg/apache/spark/rdd/RDD;Lorg/apache/spark/ShuffleDependency;J"
                  + "Lorg/apache/spark/TaskContext;Lorg/apache/spark/Partition;)"
                  + "Lorg/apache/spark/scheduler/MapStatus;")),
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** A task takes the next fetched block of a shuffle. */
  SHUFFLE_FETCH(
      "shuffle.fetch",
      "a task takes the next fetched block of a shuffle",
      "Spark fails the task",
      Calls.DATA_DRIVEN,
      false,
      List.of(
          new Seam(
              "org.apache.spark.storage.ShuffleBlockFetcherIterator", "next", "()Lscala/Tuple2;")),
      Fault.CallError.ID,
      Fault.Delay.ID),

  /** A task's body starts. */
  TASK_START(
      "task.start",
      "a task's body starts",
      "Spark fails the task",
      Calls.DATA_DRIVEN,
      false,
      Seams.TASK_BODIES,
      Fault.TaskException.ID,
      Fault.Kill.ID,
      Fault.Delay.ID,
      Fault.OutOfMemory.ID),

  /**
   * A Spillway operator starts a batch. Where Spillway is not on the task's class path: a task asks
   * whether it was killed, as Spark's scans, shuffle reads and sorters do for each batch or row.
   */
  TASK_BATCH(
      "task.batch",
      "a Spillway operator starts a batch; without Spillway, a task asks whether it was killed",
      "fails the task, since 0.1",
      Calls.DATA_DRIVEN,
      true,
      List.of(
          new Seam("io.spillway.memory.OperatorMemory", "batchBoundary", "()V"),
          new Seam("org.apache.spark.TaskContextImpl", "killTaskIfInterrupted", "()V")),
      Fault.TaskException.ID,
      Fault.Kill.ID,
      Fault.Delay.ID,
      Fault.OutOfMemory.ID),

  /** A task's body has ended well; its result is not sent yet, its clean-up not run. */
  TASK_END(
      "task.end",
      "a task's body has ended well; its clean-up has not run and its result is not sent",
      "Spark fails the task",
      Calls.DATA_DRIVEN,
      false,
      Seams.TASK_BODIES,
      Fault.TaskException.ID,
      Fault.Kill.ID,
      Fault.Delay.ID,
      Fault.OutOfMemory.ID);

  /** What decides how often a point is reached within a task attempt. */
  public enum Calls {
    /** The task's data: the same in every run, at any number of threads. */
    DATA_DRIVEN,
    /** What other tasks hold too: the same in every run with one task at a time per executor. */
    DEMAND_DRIVEN
  }

  private final String id;
  private final String summary;
  private final String handling;
  private final Calls calls;
  private final boolean namesOperator;

  @SuppressWarnings("ImmutableEnumChecker") // From List.of, records of strings.
  private final List<Seam> seams;

  @SuppressWarnings("ImmutableEnumChecker") // From List.of.
  private final List<String> faults;

  FaultPoint(
      String id,
      String summary,
      String handling,
      Calls calls,
      boolean namesOperator,
      List<Seam> seams,
      String... faults) {
    this.id = id;
    this.summary = summary;
    this.handling = handling;
    this.calls = calls;
    this.namesOperator = namesOperator;
    this.seams = seams;
    this.faults = List.of(faults);
  }

  /** The name that stands in a plan, in the decision's key and in the report. */
  public String id() {
    return id;
  }

  /** What happens there, as half a sentence. */
  public String summary() {
    return summary;
  }

  /** Who handles a fault there and how, since when it is Spillway's. */
  public String handling() {
    return handling;
  }

  /** What decides how often it is reached. */
  public Calls calls() {
    return calls;
  }

  /** The methods that are instrumented. */
  public List<Seam> seams() {
    return seams;
  }

  /** Whether a seam knows which operator calls, so that a rule can ask for it. */
  public boolean namesOperator() {
    return namesOperator;
  }

  /** The ids of the faults that this point can carry. */
  public List<String> faults() {
    return faults;
  }

  /** Finds a point by its id; empty if there is none. */
  public static Optional<FaultPoint> byId(String id) {
    return Arrays.stream(values()).filter(point -> point.id.equals(id)).findFirst();
  }

  /** All ids, comma-separated, for messages. */
  public static String ids() {
    return Arrays.stream(values()).map(FaultPoint::id).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return id;
  }

  /** What two points share; an enum's own constants come before its static fields. */
  private static final class Seams {
    static final List<Seam> TASK_BODIES =
        List.of(
            new Seam(
                "org.apache.spark.scheduler.ResultTask",
                "runTask",
                "(Lorg/apache/spark/TaskContext;)Ljava/lang/Object;"),
            new Seam(
                "org.apache.spark.scheduler.ShuffleMapTask",
                "runTask",
                "(Lorg/apache/spark/TaskContext;)Lorg/apache/spark/scheduler/MapStatus;"));
  }
}
