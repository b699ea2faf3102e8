package io.spillway.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The blocks of one operator: taken by a single grant or by the whole ladder, taken over from
 * another operator, given back. Allocating belongs to one thread at a time; giving back to any.
 */
final class OperatorBlocks {
  /** Whose single grant a thread is in; several threads of a task may be in one of the same. */
  private static final ThreadLocal<OperatorBlocks> SINGLE_GRANT = new ThreadLocal<>();

  private final OperatorMemory operator;
  private final TaskMemory task;
  private final Reservation reservation;
  private final LedgerPart ledger;
  private final AllocationWalk walk;
  private final BufferAllocator allocator;
  private final OpenBlocks handles = new OpenBlocks();
  private volatile boolean closed;

  OperatorBlocks(OperatorMemory operator, TaskMemory task, Reservation reservation) {
    this.operator = operator;
    this.task = task;
    this.reservation = reservation;
    ledger = task.executor().ledger().part(task.taskAttemptId());
    walk = new AllocationWalk(operator, task, reservation);
    allocator =
        task.arrowRoot()
            .newChildAllocator(operator.name(), new OperatorListener(operator), 0, Long.MAX_VALUE);
  }

  BufferAllocator allocator() {
    return allocator;
  }

  /** As {@link OperatorMemory#allocate}. */
  NativeBlock allocate(long bytes) {
    return handle(allocator.buffer(checked(bytes)));
  }

  /** As {@link OperatorMemory#tryAllocate}. */
  NativeBlock tryAllocate(long bytes) {
    OperatorBlocks outer = SINGLE_GRANT.get();
    SINGLE_GRANT.set(this);
    try {
      return handle(allocator.buffer(checked(bytes)));
    } catch (MemoryDenied refused) {
      return null;
    } finally {
      SINGLE_GRANT.set(outer);
    }
  }

  /** As {@link OperatorMemory#adopt}. */
  NativeBlock adopt(NativeBlock block) {
    LedgeredBlock ledgered = block.ledgered();
    OperatorMemory from = block.operator();
    if (from.task() != task) {
      throw new IllegalArgumentException(
          operator.name()
              + " of task "
              + task.taskAttemptId()
              + " cannot adopt a block of another task attempt");
    }
    long bytes = ledgered.bytes();
    Supplier<Boolean> charge =
        () -> {
          operator.requireOpen();
          return reservation.takeOver(bytes) == Reservation.REFUSED ? null : Boolean.TRUE;
        };
    task.ladder().climb(operator, bytes, charge);
    if (!block.detach()) {
      reservation.release(bytes);
      throw new IllegalStateException(
          "a block of " + from.name() + " is closed, " + operator.name() + " cannot adopt it");
    }
    // Here the ownership moves: Arrow's books, then ours. Nothing below can be refused.
    ArrowBuf moved =
        block
            .buffer()
            .getReferenceManager()
            .transferOwnership(block.buffer(), allocator)
            .getTransferredBuffer();
    ledgered.owner(operator);
    from.blocks().forget(block);
    block.buffer().getReferenceManager().release();
    from.blocks().reservation.release(bytes);
    return handle(moved);
  }

  /** Called by Arrow's allocation manager: a block, reserved, taken and ledgered. */
  LedgeredBlock obtain(long bytes) {
    if (SINGLE_GRANT.get() == this) {
      LedgeredBlock block = grant(bytes);
      if (block == null) {
        throw new MemoryDenied(operator.name(), bytes);
      }
      return block;
    }
    return task.ladder().climb(operator, bytes, () -> grant(bytes));
  }

  /** One walk, or null with all figures as before. */
  private LedgeredBlock grant(long bytes) {
    operator.requireOpen();
    LedgeredBlock block = walk.take(bytes);
    if (block != null && closed) {
      // The scope closed on another thread: its sweep may have looked before the block was there.
      free(block);
      operator.requireOpen();
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

  /** Whether the last refusal was the operating system's and not Spark's. */
  boolean refusedBySystem() {
    return walk.refusedBySystem();
  }

  /** Frees all that is live; the operator takes no more, as it is closed already. */
  void close(Closing closing) {
    closed = true;
    // Also buffers that Arrow's own code allocated, and that nobody released.
    List<LedgeredBlock> mine = new ArrayList<>();
    ledger.find(block -> block.owner() == operator, mine);
    closing.run(() -> walk.freeAll(mine));
    // What remains is Arrow's books: the memory has gone.
    for (NativeBlock block : handles.all()) {
      closing.run(block::close);
    }
  }

  /**
   * Arrow throws if buffers are left; they are not forgotten, the task's scope has them. In its
   * debug mode it also throws for a child that is still open, even an empty one.
   */
  void closeAllocator(Closing closing) {
    if (allocator.getAllocatedMemory() == 0 && allocator.getChildAllocators().isEmpty()) {
      closing.run(allocator::close);
    }
  }

  private NativeBlock handle(ArrowBuf buffer) {
    // In the part of this task: another's may still have what the system took back at that address.
    LedgeredBlock block = ledger.at(buffer.memoryAddress());
    if (block == null || closed) {
      // Closed since the grant, on another thread or by a listener: the block has gone with it.
      buffer.getReferenceManager().release();
      throw operator.closedException();
    }
    return handles.add(new NativeBlock(operator, buffer, block));
  }

  private static long checked(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a block needs at least 1 byte, asked for " + bytes);
    }
    return bytes;
  }
}
