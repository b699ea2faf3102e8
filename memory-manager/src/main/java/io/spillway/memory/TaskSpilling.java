package io.spillway.memory;

import static java.util.stream.Collectors.toMap;

import io.spillway.memory.event.MemoryEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Makes the operators of one task attempt spill: for themselves, for the executor's other tasks,
 * for the container. An operator is spilled on the thread that works with it and on no other, and
 * never from inside a spill. Requests come from any thread.
 */
final class TaskSpilling {
  private final TaskMemory task;
  private final Set<Thread> spilling = ConcurrentHashMap.newKeySet();

  /** What other tasks ask for; found at the next batch boundary. */
  private final SpillRequest requested = new SpillRequest();

  /** What the container guard asks for. */
  private final SpillRequest shedding = new SpillRequest();

  TaskSpilling(TaskMemory task) {
    this.task = task;
  }

  /** Another task asks for a spill at the next batch boundary. */
  void request(long bytes) {
    requested.atLeast(bytes);
  }

  /** The container guard asks for memory of the process; 0 takes it back. */
  void requestShedding(long bytes) {
    shedding.set(bytes);
  }

  /** What spilling could make free at most, beyond the operators' minimum. */
  long sheddableBytes() {
    return task.operators().stream().mapToLong(OperatorMemory::sheddableBytes).sum();
  }

  /** Spills if the container guard has asked and the calling thread has what can be spilled. */
  void shed() {
    if (shedding.isOpenHere() && hasSpillable()) {
      // First what is only reserved: it is no memory of the process, so it must not count.
      giveBackIdle();
      spillOwn(null, 1);
    }
  }

  /** Spills what was asked for, on a thread between two of its batches. */
  void atBatchBoundary() {
    shed();
    if (requested.isOpenHere() && hasSpillable()) {
      long bytes = requested.take();
      long freed = giveBackIdle();
      if (freed < bytes) {
        freed += spillOwn(null, bytes - freed);
      }
      putBack(requested, bytes - freed);
    }
  }

  /** Idle quanta of all operators go back to Spark; bytes given back. From any thread. */
  long giveBackIdle() {
    return task.operators().stream().mapToLong(OperatorMemory::giveBackIdle).sum();
  }

  /** Whether the calling thread may spill at all now. */
  boolean maySpill() {
    return task.isOpen() && !spilling.contains(Thread.currentThread());
  }

  /** Whether any of its threads spills at this moment. */
  boolean isUnderWay() {
    return !spilling.isEmpty();
  }

  private boolean hasSpillable() {
    return maySpill() && task.operators().stream().anyMatch(OperatorMemory::isSpillable);
  }

  /** For the thread that works with what this one must not spill, if there is one. */
  private void putBack(SpillRequest request, long rest) {
    if (rest > 0 && task.operators().stream().anyMatch(TaskSpilling::isForAnotherThread)) {
      request.putBack(rest);
    }
  }

  private static boolean isForAnotherThread(OperatorMemory operator) {
    return !operator.isWorkedWithHere() && operator.sheddableBytes() > 0;
  }

  /**
   * Spills until enough went back to Spark, and what the container guard asks for besides: the
   * largest operator first, the asking one last.
   *
   * @return bytes given back to Spark
   */
  long spillOwn(OperatorMemory asking, long atLeastBytes) {
    long shed = hasSpillable() ? shedding.take() : 0;
    long bytes = Math.max(atLeastBytes, shed);
    List<OperatorMemory> order = task.operators();
    // As they are now: a sort fails when what it compares changes meanwhile.
    Map<OperatorMemory, Long> sizes =
        order.stream().collect(toMap(Function.identity(), OperatorMemory::usedBytes));
    order.sort(Comparator.<OperatorMemory, Long>comparing(sizes::get).reversed());
    if (asking != null && order.remove(asking)) {
      order.add(asking);
    }
    long freed = 0;
    for (OperatorMemory operator : order) {
      if (freed >= bytes) {
        break;
      }
      freed += spill(operator, bytes - freed);
    }
    putBack(shedding, shed - freed);
    return freed;
  }

  /** Spills one operator if that may be done here and now, else answers 0. */
  long spill(OperatorMemory operator, long bytes) {
    if (!maySpill() || !operator.isSpillable()) {
      return 0;
    }
    spilling.add(Thread.currentThread());
    long startNanos = System.nanoTime();
    long freed;
    try {
      freed = operator.spillNow(bytes);
    } finally {
      spilling.remove(Thread.currentThread());
      task.stall().moved();
    }
    if (freed > 0) {
      task.emit(
          new MemoryEvent.Spilled(
              task.taskAttemptId(), operator.name(), freed, System.nanoTime() - startNanos));
    }
    return freed;
  }
}
