package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks of a task attempt that has ended, while a thread that did not end with it may still use
 * them. Spark has taken the task's reservation back by then, so they are charged to its storage
 * pool instead, as far as that has room.
 */
final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  private final TaskMemory task;
  private final List<BlockOwner> owners;
  private final List<OperatorMemory> operators;
  private final long startNanos = System.nanoTime();
  private StorageCharge charge;

  /**
   * A quarantine that has not begun.
   *
   * @param task that has ended
   * @param owners of its live blocks
   * @param operators that hold them, in the order in which they were opened
   */
  Quarantine(TaskMemory task, List<BlockOwner> owners, List<OperatorMemory> operators) {
    this.task = task;
    this.owners = owners;
    this.operators = operators;
  }

  long bytes() {
    return owners.stream().mapToLong(BlockOwner::bytes).sum();
  }

  /** Charges the blocks and tells of them. On the thread that ends the task. */
  void begin() {
    task.executor().quarantined(bytes());
    charge = task.executor().chargeStorage("quarantine_" + task.taskAttemptId(), bytes());
    List<String> threads = task.helpers().names();
    for (BlockOwner owner : owners) {
      task.emit(
          new MemoryEvent.Quarantined(
              owner.taskAttemptId(), owner.operator(), owner.bytes(), owner.blocks(), threads));
    }
  }

  /** Frees them and says so. On the thread that was the last to use them. */
  void end() {
    Closing closing = new Closing();
    for (int i = operators.size() - 1; i >= 0; i--) {
      closing.run(operators.get(i)::close);
    }
    ScopeEnd.sweep(task, closing);
    task.closeLeases(closing);
    // Not "charge::release": if there is none, that throws here and now.
    closing.run(() -> charge.release());
    task.executor().freedFromQuarantine(bytes());
    long nanos = System.nanoTime() - startNanos;
    for (BlockOwner owner : owners) {
      task.emit(
          new MemoryEvent.QuarantineEnded(
              owner.taskAttemptId(), owner.operator(), owner.bytes(), owner.blocks(), nanos));
    }
    try {
      closing.rethrow();
    } catch (RuntimeException | Error e) {
      // Not thrown into a thread whose own work may have gone well; the figures are right.
      LOG.error(
          "Memory of task {} was freed late, and not all of it well", task.taskAttemptId(), e);
    }
  }
}
