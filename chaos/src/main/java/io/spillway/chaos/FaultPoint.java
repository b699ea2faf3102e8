package io.spillway.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The catalogue of places where a fault can be injected: the seam, the signature that it must have
 * and the faults that it can carry.
 *
 * <p>To add a point: a constant here, an advice class in {@code internal.advice}, one method in the
 * dispatcher.
 */
public enum FaultPoint {
  /**
   * A memory consumer asks Spark for execution memory. Demand-driven: how often it is called
   * depends on what other tasks hold. Every consumer handles a short grant, because Spark gives one
   * whenever memory is short: it spills, or its task fails.
   */
  MEMORY_ACQUIRE(
      "memory.acquire",
      new Seam(
          "org.apache.spark.memory.TaskMemoryManager",
          "acquireExecutionMemory",
          "(JLorg/apache/spark/memory/MemoryConsumer;)J"),
      true,
      Fault.ShortGrant.ID),

  /** Spillway takes a native block. Demand-driven. Handled by the pressure ladder since 0.1. */
  NATIVE_ALLOC(
      "native.alloc",
      new Seam("io.spillway.memory.PageSource", "allocate", "(J)J"),
      false,
      Fault.OutOfMemory.ID),

  /** Spillway writes one frame of a spill. Demand-driven. Ends as a failed task since 0.1. */
  SPILL_WRITE(
      "spill.write",
      new Seam("io.spillway.memory.spill.SegmentWriter", "write", "(JIII)V"),
      false,
      Fault.DiskFull.ID),

  /** A Spillway operator starts a batch. Data-driven. Ends as a failed task since 0.1. */
  TASK_BATCH(
      "task.batch",
      new Seam("io.spillway.memory.OperatorMemory", "batchBoundary", "()V"),
      true,
      Fault.TaskException.ID);

  private final String id;

  @SuppressWarnings("ImmutableEnumChecker") // A record of strings.
  private final Seam seam;

  private final boolean namesOperator;

  @SuppressWarnings("ImmutableEnumChecker") // From List.of.
  private final List<String> faults;

  FaultPoint(String id, Seam seam, boolean namesOperator, String... faults) {
    this.id = id;
    this.seam = seam;
    this.namesOperator = namesOperator;
    this.faults = List.of(faults);
  }

  /** The name that stands in a plan, in the decision's key and in the report. */
  public String id() {
    return id;
  }

  /** The method that is instrumented. */
  public Seam seam() {
    return seam;
  }

  /** Whether the seam knows which operator calls, so that a rule can ask for it. */
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
}
