package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import io.spillway.memory.spill.SpillFile;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * The native memory of one operator in one task attempt: a consumer of its own in Spark's
 * arbitration, an Arrow allocator of its own, and what it holds by name in the ledger.
 *
 * <p>Allocating, spilling and {@link #batchBoundary} belong to the task's thread. Blocks may be
 * closed, and figures read, from any. The operator closes it when it is done, at the latest in its
 * own task completion listener; the task's scope closes what was forgotten, and reports blocks that
 * were still live in an attempt that succeeded as leaked.
 */
public final class OperatorMemory implements AutoCloseable {
  /** Whose single grant a thread is in; several threads of a task may be in one of the same. */
  private static final ThreadLocal<OperatorMemory> SINGLE_GRANT = new ThreadLocal<>();

  private final TaskMemory task;
  private final String name;
  private final Spillable spillable;
  private final Reservation reservation;
  private final AllocationWalk walk;
  private final BufferAllocator allocator;
  private final OpenBlocks handles = new OpenBlocks();
  private final OpenSpillFiles spillFiles = new OpenSpillFiles();
  private final AtomicLong spilledBytes = new AtomicLong();
  private volatile boolean closed;

  /** On the task's thread only. */
  private int unspillableDepth;

  /** On the task's thread only: whether a retry does parts of a batch. */
  private boolean splitting;

  OperatorMemory(TaskMemory task, String name, Spillable spillable) {
    this.task = task;
    this.name = name;
    this.spillable = spillable;
    SparkConsumer consumer = new SparkConsumer(task.sparkManager(), name, this::spillForSpark);
    reservation =
        new Reservation(
            consumer,
            task.executor().budget(1).quantumBytes(),
            task.executor()::memoryReturned,
            new RequestSizing(task, this),
            task.executor().guard()::admits,
            task.executor().settings().minOperatorBytes());
    walk = new AllocationWalk(this, task, reservation);
    allocator =
        task.arrowRoot().newChildAllocator(name, new OperatorListener(this), 0, Long.MAX_VALUE);
  }

  /** Its name, as in Spark's memory-usage dump, for example {@code HashAggregate(partial)}. */
  public String name() {
    return name;
  }

  long taskAttemptId() {
    return task.taskAttemptId();
  }

  /**
   * Arrow's view. Everything allocated through it, or a child of it, is reserved and ledgered too,
   * and climbs the same ladder as {@link #allocate}. Closed by {@link #close()}.
   */
  public BufferAllocator allocator() {
    return allocator;
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
    return handle(allocator.buffer(checked(bytes)));
  }

  /**
   * Takes a block if one grant suffices: Spark's own arbitration, which may spill operators of this
   * task, but no ladder.
   *
   * @param bytes at least 1
   * @return a block of at least that size, which the caller closes; or null if Spark or the
   *     operating system refuses
   * @throws IllegalStateException if this operator is closed
   */
  public NativeBlock tryAllocate(long bytes) {
    OperatorMemory outer = SINGLE_GRANT.get();
    SINGLE_GRANT.set(this);
    try {
      return handle(allocator.buffer(checked(bytes)));
    } catch (MemoryDenied refused) {
      return null;
    } finally {
      SINGLE_GRANT.set(outer);
    }
  }

  /**
   * Takes over a block of another operator of this task: what it holds is charged here from now on.
   * The charge is reserved first, so if that fails the block stays with its owner.
   *
   * @param block open; its handle is closed by this call when it succeeds
   * @return the new handle of the same memory, which the caller closes
   * @throws SparkOutOfMemoryError if the charge cannot be reserved
   */
  public NativeBlock adopt(NativeBlock block) {
    LedgeredBlock ledgered = block.ledgered();
    OperatorMemory from = ledgered.owner();
    if (from.task != task) {
      throw new IllegalArgumentException(
          name + " of task " + taskAttemptId() + " cannot adopt a block of another task attempt");
    }
    long bytes = ledgered.bytes();
    task.ladder()
        .climb(this, bytes, () -> reservation.takeOver(bytes) == Reservation.REFUSED ? null : "");
    if (!block.detach()) {
      reservation.release(bytes);
      throw new IllegalStateException(
          "a block of " + from.name + " is closed, " + name + " cannot adopt it");
    }
    // Here the ownership moves: Arrow's books, then ours. Nothing below can be refused.
    ArrowBuf moved =
        block
            .buffer()
            .getReferenceManager()
            .transferOwnership(block.buffer(), allocator)
            .getTransferredBuffer();
    ledgered.owner(this);
    from.forget(block);
    block.buffer().getReferenceManager().release();
    from.reservation.release(bytes);
    return handle(moved);
  }

  /**
   * To be called once per batch, where the operator can be spilled. Ends a killed task, and spills
   * if other tasks of the executor have asked for it.
   *
   * @throws org.apache.spark.TaskKilledException if the task was killed
   */
  public void batchBoundary() {
    task.atBatchBoundary();
  }

  /**
   * A new spill file. The operator closes it when it is done; the task's scope deletes it whatever
   * happens. No file exists before the first segment.
   */
  public SpillFile createSpillFile() {
    SpillFile file =
        new SpillFile(task.spillStore(), owner(), this::countSpilled, task::countStored);
    if (!spillFiles.add(file)) {
      file.close();
      throw closedException();
    }
    return file;
  }

  /**
   * Runs a section in which this operator cannot be spilled: {@code spill()} answers 0 for it. May
   * be nested; on the task's thread only.
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

  /** Bytes in live blocks. */
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
    List<SpillFile> files = spillFiles.end();
    Closing closing = new Closing();
    for (NativeBlock block : handles.all()) {
      closing.run(block::close);
    }
    // Buffers that Arrow's own code allocated, and that nobody released.
    for (LedgeredBlock block : task.executor().ledger().find(b -> b.owner() == this)) {
      closing.run(() -> free(block));
    }
    for (SpillFile file : files) {
      closing.run(file::close);
    }
    closing.run(reservation::close);
    if (allocator.getAllocatedMemory() == 0 && allocator.getChildAllocators().isEmpty()) {
      closing.run(allocator::close);
    }
    task.closed(this);
    closing.rethrow();
  }

  // ---- what retries use

  /** Spills operators of this task, this one last; whether anything became free. */
  boolean spillForRetry(long bytes) {
    long usedBefore = task.usedBytes();
    return task.spillOwn(this, bytes) > 0 || task.usedBytes() < usedBefore;
  }

  /**
   * The same for a single grant that was refused, now that this operator may be spilled too:
   * through Spark, so that nothing is spilled as long as Spark has more to grant.
   */
  boolean fetchForRetry(long bytes) {
    // For the system and the container Spark has nothing to grant: only what is spilled helps.
    if (walk.refusedBySystem() || reservation.refusedByGuard()) {
      return spillForRetry(bytes);
    }
    long usedBefore = task.usedBytes();
    return reservation.fetch(bytes) || task.usedBytes() < usedBefore;
  }

  /** Asks the other tasks and waits; false if there is none, or after the last attempt. */
  boolean waitForRetry(long bytes, int attempt) {
    return task.peerWait().next(bytes, attempt);
  }

  /** Nothing more is waited for. */
  void endWaitForRetry(boolean granted) {
    task.peerWait().over(granted);
  }

  /** Parts of a batch do not wait: the whole has. Returns what was set before. */
  boolean setSplitting(boolean parts) {
    boolean before = splitting;
    splitting = parts;
    return before;
  }

  boolean isSplitting() {
    return splitting;
  }

  SparkOutOfMemoryError deniedAtOneRow(long bytes) {
    return new SparkOutOfMemoryError(Denial.message(task, this, bytes));
  }

  void countRetry(Rung rung) {
    task.countRung(rung);
  }

  void emit(MemoryEvent event) {
    task.emit(event);
  }

  // ---- what the ladder and the scope use

  /** Acquires the minimum that stays reserved, or climbs the ladder and fails. */
  void acquireMinimum() {
    long bytes = task.executor().settings().minOperatorBytes();
    task.ladder().climb(this, bytes, () -> reservation.keepAtLeast(bytes) ? "" : null);
  }

  /** Called by Arrow's allocation manager: a block, reserved, taken and ledgered. */
  LedgeredBlock obtain(long bytes) {
    if (SINGLE_GRANT.get() == this) {
      LedgeredBlock block = grant(bytes);
      if (block == null) {
        throw new MemoryDenied(name, bytes);
      }
      return block;
    }
    return task.ladder().climb(this, bytes, () -> grant(bytes));
  }

  /** One walk, or null with all figures as before. */
  private LedgeredBlock grant(long bytes) {
    requireOpen();
    LedgeredBlock block = walk.take(bytes);
    if (block != null && closed) {
      // The scope closed on another thread: its sweep may have looked before the block was there.
      free(block);
      throw closedException();
    }
    return block;
  }

  /** Gives one block back, unless somebody was quicker. */
  void free(LedgeredBlock block) {
    walk.free(block);
  }

  void forget(NativeBlock block) {
    handles.remove(block);
  }

  /** Spark asks, on any thread, with its lock held. */
  private long spillForSpark(long bytes) {
    // Spark takes what is idle, and comes again if it is not enough.
    long idle = task.giveBackIdle();
    return idle > 0 ? idle : task.spill(this, bytes);
  }

  /** Whether {@code spill()} may do anything now; on the task's thread. */
  boolean isSpillable() {
    return spillable != null && unspillableDepth == 0 && !closed;
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

  private void countSpilled(long bytes) {
    spilledBytes.addAndGet(bytes);
    task.countSpilled(bytes);
  }

  private NativeBlock handle(ArrowBuf buffer) {
    return handles.add(
        new NativeBlock(buffer, task.executor().ledger().at(buffer.memoryAddress())));
  }

  private static long checked(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a block needs at least 1 byte, asked for " + bytes);
    }
    return bytes;
  }

  private void requireOpen() {
    if (closed) {
      throw closedException();
    }
  }

  private IllegalStateException closedException() {
    return new IllegalStateException(owner() + " is closed and takes no more native memory");
  }
}
