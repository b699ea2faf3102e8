package io.spillway.memory;

import io.spillway.memory.spill.SharedSpillFile;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSource;
import io.spillway.memory.spill.SpillView;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The native memory of one operator in one task attempt: a consumer of its own in Spark's
 * arbitration, an Arrow allocator of its own, and what it holds by name in the ledger.
 *
 * <p>An operator is worked with by one thread at a time: the one that opened it, later the one that
 * called {@link #batchBoundary} last. It is spilled on that thread and on no other. A thread that
 * is not the task's own does so in a step of {@link TaskMemory#onHelperThread}. Other threads may
 * allocate for it, though nothing is spilled for them; blocks may be closed, and figures read, from
 * any. The operator closes it when it is done, at the latest in its own task completion listener;
 * the task's scope closes what was forgotten, and reports blocks that were still live in an attempt
 * that succeeded as leaked.
 */
public final class OperatorMemory implements AutoCloseable, BlockHolder {
  private final TaskMemory task;
  private final String name;
  private final Spillable spillable;
  private final Reservation reservation;
  private final OperatorBlocks blocks;
  private final OperatorRetry retry;
  private final OpenSpillFiles spillFiles = new OpenSpillFiles();
  private final AtomicLong spilledBytes = new AtomicLong();
  private volatile Thread worker = Thread.currentThread();
  private volatile boolean closed;

  /** On the worker's thread only. */
  private int unspillableDepth;

  OperatorMemory(TaskMemory task, String name, Spillable spillable) {
    this.task = task;
    this.name = name;
    this.spillable = spillable;
    SparkConsumer consumer =
        new SparkConsumer(task.sparkManager(), name, this::spillForSpark, task.stall());
    reservation =
        new Reservation(
            consumer,
            task.executor().budget(1).quantumBytes(),
            task.executor()::memoryReturned,
            new RequestSizing(task, this),
            task.executor().guard()::admits,
            task.executor().settings().minOperatorBytes());
    blocks = new OperatorBlocks(this, task, reservation);
    retry = new OperatorRetry(this, task, reservation);
  }

  /** Its name, as in Spark's memory-usage dump, for example {@code HashAggregate(partial)}. */
  @Override
  public String name() {
    return name;
  }

  /** The task attempt that it belongs to. */
  public TaskMemory task() {
    return task;
  }

  /** Spark's id of the attempt that it belongs to. */
  @Override
  public long taskAttemptId() {
    return task.taskAttemptId();
  }

  /**
   * Arrow's view. Everything allocated through it, or a child of it, is reserved and ledgered too,
   * and climbs the same ladder as {@link #allocate}. Closed by {@link #close()}.
   */
  public BufferAllocator allocator() {
    return blocks.allocator();
  }

  /**
   * Takes a block, climbing the whole ladder if need be; may spill this operator, unless inside
   * {@link #withoutSpilling}, and other operators of the task.
   *
   * @param bytes at least 1
   * @return a block of at least that size; the caller closes it
   * @throws SparkOutOfMemoryError after the last rung; it fails the task, has no cause, and names
   *     figures and the setting to change
   * @throws IllegalStateException if this operator is closed
   */
  public NativeBlock allocate(long bytes) {
    return blocks.allocate(bytes);
  }

  /**
   * Takes a block if one grant suffices: Spark's own arbitration, which may spill operators of this
   * task, but no ladder. In a step of {@link Retry#withRetry} that gets null, throw {@link
   * MemoryDenied}: then spills, waits and halves follow.
   *
   * @param bytes at least 1
   * @return a block of at least that size, which the caller closes; or null if Spark or the
   *     operating system refuses
   * @throws IllegalStateException if this operator is closed
   */
  public NativeBlock tryAllocate(long bytes) {
    return blocks.tryAllocate(bytes);
  }

  /**
   * Whether so much could be had now without anything being spilled for it. A guess: others go on
   * meanwhile. For state that is only as large as there is room.
   *
   * @param bytes at least 1
   */
  public boolean hasRoom(long bytes) {
    return reservation.idleBytes() + task.grantableBytes() >= bytes;
  }

  /**
   * Takes over a block of another operator of this task: what it holds is charged here from now on.
   * The charge is reserved first, so if that fails the block stays with its owner.
   *
   * @param block open; its handle is closed by this call when it succeeds
   * @return the new handle of the same memory, which the caller closes
   * @throws SparkOutOfMemoryError if the charge cannot be reserved
   * @throws IllegalStateException if this operator or the block is closed
   */
  public NativeBlock adopt(NativeBlock block) {
    return blocks.adopt(block);
  }

  /**
   * A charge for native memory that others allocate for this operator, 0 bytes at first. What is
   * not closed goes back to Spark with the operator.
   */
  public ForeignCharge foreignCharge() {
    return new ForeignCharge(this, reservation);
  }

  /**
   * To be called once per batch, where the operator can be spilled. Ends a killed task, and spills
   * if other tasks of the executor have asked for it. The calling thread is the one that works with
   * this operator from now on.
   *
   * @throws org.apache.spark.TaskKilledException if the task was killed
   */
  public void batchBoundary() {
    worker = Thread.currentThread();
    task.atBatchBoundary();
  }

  /**
   * A new spill file. The operator closes it when it is done; the task's scope deletes it whatever
   * happens. No file exists before the first segment.
   */
  public SpillFile createSpillFile() {
    return keep(new SpillFile(task.spillStore(), owner(), this::countSpilled, task::countStored));
  }

  /**
   * Starts to read a spill file that tasks share. Its lease must stay open meanwhile.
   *
   * @return a view, which the operator closes when it is done; the task's scope does at the latest
   */
  public SpillView read(SharedSpillFile file) {
    return keep(file.view());
  }

  private <T extends SpillSource> T keep(T file) {
    if (!spillFiles.add(file)) {
      file.close();
      throw closedException();
    }
    return file;
  }

  /** One of its spill files is another's from now on; false if it is not its own, or is closed. */
  boolean giveUp(SpillFile file) {
    return spillFiles.remove(file);
  }

  /**
   * Runs a section in which this operator cannot be spilled: {@code spill()} answers 0 for it. May
   * be nested; on the thread that works with the operator only.
   *
   * @param section what to run
   * @return what it returned
   */
  public <T> T withoutSpilling(Supplier<T> section) {
    unspillableDepth++;
    try {
      return section.get();
    } finally {
      unspillableDepth--;
    }
  }

  /** Bytes in live blocks, and what others allocated for it. */
  public long usedBytes() {
    return reservation.usedBytes();
  }

  /** Bytes reserved with Spark, idle ones included. */
  public long reservedBytes() {
    return reservation.reservedBytes();
  }

  /** Highest {@link #usedBytes} so far. */
  public long peakBytes() {
    return reservation.peakBytes();
  }

  /** Bytes of state written to disk so far, before compression. */
  public long spilledBytes() {
    return spilledBytes.get();
  }

  /** Frees what is live, deletes its spill files, returns the whole reservation. Idempotent. */
  @Override
  public void close() {
    closed = true;
    Closing closing = new Closing();
    blocks.close(closing);
    closeFilesAndReservation(closing);
    blocks.closeAllocator(closing);
    task.closed(this);
    closing.rethrow();
  }

  /** The same but for the blocks, which a helper thread still uses. */
  void closeAllButBlocks() {
    closed = true;
    Closing closing = new Closing();
    closeFilesAndReservation(closing);
    closing.rethrow();
  }

  private void closeFilesAndReservation(Closing closing) {
    for (SpillSource file : spillFiles.end()) {
      closing.run(file::close);
    }
    closing.run(reservation::close);
  }

  // ---- what retries, the ladder and the scope use

  OperatorBlocks blocks() {
    return blocks;
  }

  OperatorRetry retry() {
    return retry;
  }

  /** Acquires the minimum that stays reserved, or climbs the ladder and fails. */
  void acquireMinimum() {
    long bytes = task.executor().settings().minOperatorBytes();
    task.ladder().climb(this, bytes, () -> reservation.keepAtLeast(bytes) ? "" : null);
  }

  @Override
  public void free(LedgeredBlock block) {
    blocks.free(block);
  }

  /** Spark asks, on any thread, with its lock held. */
  private long spillForSpark(long bytes) {
    // Spark takes what is idle, and comes again if it is not enough.
    long idle = task.spilling().giveBackIdle();
    return idle > 0 ? idle : task.spilling().spill(this, bytes);
  }

  /** Whether the calling thread is the one that works with it. */
  boolean isWorkedWithHere() {
    return Thread.currentThread() == worker;
  }

  /** Whether {@code spill()} may do anything now, on this thread. */
  boolean isSpillable() {
    return isWorkedWithHere() && spillable != null && unspillableDepth == 0 && !closed;
  }

  /** What spilling could make free at most, beyond the minimum that it works with. */
  long sheddableBytes() {
    return spillable == null
        ? 0
        : Math.max(0, usedBytes() - task.executor().settings().minOperatorBytes());
  }

  /** Spills and gives back what became idle; bytes given back to Spark. */
  long spillNow(long bytes) {
    long before = reservation.reservedBytes();
    spillable.spill(bytes);
    reservation.giveBackIdle();
    return Math.max(0, before - reservation.reservedBytes());
  }

  /** Whether it holds state that can be spilled. */
  boolean isStateful() {
    return spillable != null;
  }

  long giveBackIdle() {
    return reservation.giveBackIdle();
  }

  /** Spark took everything back by itself. */
  void abandonReservation() {
    reservation.abandon();
  }

  String owner() {
    return "task " + taskAttemptId() + " / " + name;
  }

  void requireOpen() {
    if (closed) {
      throw closedException();
    }
  }

  private void countSpilled(long bytes) {
    spilledBytes.addAndGet(bytes);
    task.countSpilled(bytes);
  }

  IllegalStateException closedException() {
    return new IllegalStateException(owner() + " is closed and takes no more native memory");
  }
}
