package io.spillway.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The catalogue of places where a fault can be injected: the seams, the signatures that they must
 * have, the faults that they can carry, and what the code behind them makes of those.
 *
 * <p>To add a point: a constant here with its entry, an advice class in {@code internal.advice}
 * with its line in {@code internal.install.AdviceCatalogue}, one method in the dispatcher.
 */
public enum FaultPoint {
  /** A memory consumer asks Spark for execution memory. */
  MEMORY_ACQUIRE(SparkEntries.MEMORY_ACQUIRE),

  /** Spark takes an off-heap page. */
  MEMORY_PAGE(SparkEntries.MEMORY_PAGE),

  /** Spillway takes a native block. */
  NATIVE_ALLOC(SpillwayEntries.NATIVE_ALLOC),

  /** Spillway has taken a native block and is about to enter it into its ledger. */
  NATIVE_REGISTER(SpillwayEntries.NATIVE_REGISTER),

  /** Spillway calls a kernel on a batch's columns: once for each, whatever memory there is. */
  KERNEL_CALL(SpillwayEntries.KERNEL_CALL),

  /** Spillway calls a kernel on an operator's state: again when it needs a page or has spilled. */
  KERNEL_STATE(SpillwayEntries.KERNEL_STATE),

  /** A spill file is created. */
  SPILL_OPEN(SpillEntries.OPEN),

  /** A frame or a row of a spill is written. */
  SPILL_WRITE(SpillEntries.WRITE),

  /** A segment of a spill is ended and flushed. */
  SPILL_FLUSH(SpillEntries.FLUSH),

  /** A spill is read. */
  SPILL_READ(SpillEntries.READ),

  /** Spill files have been deleted; the fault reports that as failed. */
  SPILL_DELETE(SpillEntries.DELETE),

  /** A spill has been closed; the fault reports that as failed. */
  SPILL_CLOSE(SpillEntries.CLOSE),

  /** A map task starts to write its shuffle output. */
  SHUFFLE_WRITE(SparkEntries.SHUFFLE_WRITE),

  /** A task takes the next fetched block of a shuffle. */
  SHUFFLE_FETCH(SparkEntries.SHUFFLE_FETCH),

  /** A task's body starts. */
  TASK_START(SparkEntries.TASK_START),

  /**
   * A Spillway operator starts a batch. Where Spillway is not on the task's class path: a task asks
   * whether it was killed, as Spark's scans, shuffle reads and sorters do for each batch or row.
   */
  TASK_BATCH(SparkEntries.TASK_BATCH),

  /** A task's body has ended well; its result is not sent yet, its clean-up not run. */
  TASK_END(SparkEntries.TASK_END),

  /** An Arrow allocator is asked for a buffer. */
  ARROW_ALLOC(AllocatorEntries.ARROW_ALLOC),

  /** Netty is asked for a direct buffer. */
  NETTY_ALLOC(AllocatorEntries.NETTY_ALLOC),

  /** The JDK reserves memory for a direct buffer. */
  JDK_DIRECT(AllocatorEntries.JDK_DIRECT),

  /** A block is allocated through {@code Unsafe}. */
  JDK_UNSAFE(AllocatorEntries.JDK_UNSAFE),

  /** A moment at which an executor's process can end. */
  EXECUTOR_EXIT(SparkEntries.EXECUTOR_EXIT),

  /** A plugin on an executor calls the driver. */
  PLUGIN_RPC(SparkEntries.PLUGIN_RPC),

  /** Comet asks for memory. */
  COMET_ACQUIRE(EngineEntries.COMET_ACQUIRE),

  /** Gluten asks for memory. */
  GLUTEN_RESERVE(EngineEntries.GLUTEN_RESERVE),

  /** The RAPIDS accelerator takes device memory. */
  RAPIDS_ALLOC(EngineEntries.RAPIDS_ALLOC);

  /** What decides how often a point is reached within a task attempt. */
  public enum Calls {
    /** The task's data: the same in every run, at any number of threads. */
    DATA_DRIVEN,
    /** What other tasks hold too: the same in every run with one task at a time per executor. */
    DEMAND_DRIVEN
  }

  @SuppressWarnings("ImmutableEnumChecker") // A record of strings and copied lists.
  private final PointEntry entry;

  FaultPoint(PointEntry entry) {
    this.entry = entry;
  }

  /** The name that stands in a plan, in the decision's key and in the report. */
  public String id() {
    return entry.id();
  }

  /** What happens there, as half a sentence. */
  public String summary() {
    return entry.summary();
  }

  /** Who handles a fault there and how, since when it is Spillway's. */
  public String handling() {
    return entry.handling();
  }

  /** What decides how often it is reached. */
  public Calls calls() {
    return entry.calls();
  }

  /** The methods that are instrumented. */
  public List<Seam> seams() {
    return entry.seams();
  }

  /** Whether a seam knows which operator calls, so that a rule can ask for it. */
  public boolean namesOperator() {
    return entry.namesOperator();
  }

  /** Whether it was run against the real class; if not, its signatures come from reading alone. */
  public boolean isVerified() {
    return entry.verified();
  }

  /** The ids of the faults that this point can carry. */
  public List<String> faults() {
    return entry.faults();
  }

  /** Finds a point by its id; empty if there is none. */
  public static Optional<FaultPoint> byId(String id) {
    return Arrays.stream(values()).filter(point -> point.id().equals(id)).findFirst();
  }

  /** All ids, comma-separated, for messages. */
  public static String ids() {
    return Arrays.stream(values()).map(FaultPoint::id).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return id();
  }
}
