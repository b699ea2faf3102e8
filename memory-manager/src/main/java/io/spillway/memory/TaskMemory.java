package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import io.spillway.memory.spill.SpillStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.RootAllocator;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * The native memory of one task attempt: the scope that gives everything back, however the attempt
 * ends. OPEN → CLOSING → CLOSED, never back.
 *
 * <p>Made by {@link ExecutorMemory#openTask}. Closed by a task completion listener, or, should that
 * not have happened, by {@link ExecutorMemory#taskFailed} or {@link ExecutorMemory#taskSucceeded}.
 */
public final class TaskMemory {
  private enum State {
    OPEN,
    CLOSING,
    CLOSED
  }

  private final ExecutorMemory executor;
  private final TaskContext context;
  private final Thread thread = Thread.currentThread();
  private final RootAllocator arrowRoot;
  private final Ladder ladder = new Ladder(this);
  private final PeerWait peerWait = new PeerWait(this);
  private final List<OperatorMemory> operators = new ArrayList<>();
  private final Map<Rung, AtomicLong> rungs = new ConcurrentHashMap<>();
  private final AtomicLong requestedBytes = new AtomicLong();
  private final AtomicLong shedBytes = new AtomicLong();
  private final AtomicLong spilledBytes = new AtomicLong();
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();
  private volatile State state = State.OPEN;
  private volatile TaskReport report;

  /** Whether it has asked Spark for memory: it is one of those that share it from then on. */
  private volatile boolean active;

  /** On the task's thread only. */
  private boolean spilling;

  TaskMemory(ExecutorMemory executor, TaskContext context) {
    this.executor = executor;
    this.context = context;
    // A root for each attempt: what an attempt leaves in Arrow's books goes with it.
    this.arrowRoot =
        new RootAllocator(
            RootAllocator.configBuilder()
                .allocationManagerFactory(new LedgeredAllocationManager.Factory())
                .roundingPolicy(executor.pages()::roundedBytes)
                .maxAllocation(Long.MAX_VALUE)
                .build());
  }

  /** Spark's id of the attempt. */
  public long taskAttemptId() {
    return context.taskAttemptId();
  }

  /**
   * Sizes for a stateful operator of this task, for as many of them as are open, at least two. An
   * operator asks once it is open itself, and keeps what it was told.
   */
  public MemoryBudget budget() {
    int stateful = 0;
    for (OperatorMemory operator : operators()) {
      stateful += operator.isStateful() ? 1 : 0;
    }
    return executor.budget(stateful);
  }

  /**
   * The same where the plan tells how many stateful operators the task will have.
   *
   * @param statefulOperators at least 1
   */
  public MemoryBudget budget(int statefulOperators) {
    return executor.budget(statefulOperators);
  }

  /** Bytes in live blocks of all its operators. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Bytes reserved with Spark by all its operators, idle ones included. */
  public long reservedBytes() {
    return operators().stream().mapToLong(OperatorMemory::reservedBytes).sum();
  }

  /** Highest {@link #usedBytes} so far. */
  public long peakBytes() {
    return peakBytes.get();
  }

  /** Bytes of state written to disk so far, before compression. */
  public long spilledBytes() {
    return spilledBytes.get();
  }

  /** How often a rung of the ladder was climbed by this task. */
  public long climbs(Rung rung) {
    AtomicLong count = rungs.get(rung);
    return count == null ? 0 : count.get();
  }

  /**
   * Opens the memory of one operator. One that can spill acquires its minimum here, and keeps it.
   * On the task's thread.
   *
   * @param name as it shall stand in logs, such as {@code HashAggregate(partial)}
   * @param spillable what can be spilled for it, or null if it holds no state that could be
   * @return its memory; the operator closes it, at the latest in its own completion listener
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if the minimum cannot be had
   * @throws IllegalStateException if the attempt has ended
   */
  public OperatorMemory operator(String name, Spillable spillable) {
    OperatorMemory operator;
    synchronized (operators) {
      if (state != State.OPEN) {
        throw new IllegalStateException(
            "task " + taskAttemptId() + " is " + state + ": " + name + " cannot open memory in it");
      }
      operator = new OperatorMemory(this, name, spillable);
      operators.add(operator);
    }
    if (spillable != null) {
      try {
        operator.acquireMinimum();
      } catch (Throwable t) {
        operator.close();
        throw t;
      }
    }
    return operator;
  }

  /**
   * The end of the attempt: operators are closed in reverse order, then what is left in the ledger
   * is freed, then the reservations go back to Spark. One failing close does not keep the rest.
   * Idempotent.
   *
   * @param succeeded tells leaked from reclaimed
   * @return what was found
   */
  TaskReport close(boolean succeeded) {
    return end(succeeded);
  }

  /** The same after Spark has taken its reservations back by itself: nothing is released to it. */
  TaskReport closeWithoutSpark(boolean succeeded) {
    if (state == State.OPEN) {
      operators().forEach(OperatorMemory::abandonReservation);
    }
    return end(succeeded);
  }

  private TaskReport end(boolean succeeded) {
    List<OperatorMemory> closingOrder;
    synchronized (operators) {
      if (state != State.OPEN) {
        return report;
      }
      state = State.CLOSING;
      closingOrder = new ArrayList<>(operators);
    }
    List<BlockOwner> found = BlockOwner.of(executor.ledger().find(this::owns));
    Closing closing = new Closing();
    for (int i = closingOrder.size() - 1; i >= 0; i--) {
      closing.run(closingOrder.get(i)::close);
    }
    for (LedgeredBlock block : executor.ledger().find(this::owns)) {
      closing.run(() -> block.owner().free(block));
    }
    if (arrowRoot.getAllocatedMemory() == 0 && arrowRoot.getChildAllocators().isEmpty()) {
      closing.run(arrowRoot::close);
    }
    long bytes = found.stream().mapToLong(BlockOwner::bytes).sum();
    report =
        new TaskReport(
            taskAttemptId(),
            succeeded ? 0 : bytes,
            succeeded ? bytes : 0,
            found.stream().map(BlockOwner::describe).toList(),
            spilledBytes.get(),
            peakBytes.get());
    state = State.CLOSED;
    executor.closed(this, report);
    for (BlockOwner owner : found) {
      emit(leftOver(owner, succeeded));
    }
    closing.rethrow();
    return report;
  }

  private static MemoryEvent leftOver(BlockOwner owner, boolean succeeded) {
    return succeeded
        ? new MemoryEvent.Leaked(
            owner.taskAttemptId(), owner.operator(), owner.bytes(), owner.blocks(), owner.site())
        : new MemoryEvent.Reclaimed(
            owner.taskAttemptId(), owner.operator(), owner.bytes(), owner.blocks());
  }

  private boolean owns(LedgeredBlock block) {
    return block.owner().taskAttemptId() == taskAttemptId();
  }

  // ---- what operators, the ladder and the executor use

  ExecutorMemory executor() {
    return executor;
  }

  Ladder ladder() {
    return ladder;
  }

  RootAllocator arrowRoot() {
    return arrowRoot;
  }

  TaskContext context() {
    return context;
  }

  TaskMemoryManager sparkManager() {
    return context.taskMemoryManager();
  }

  SpillStore spillStore() {
    SparkEnv env = SparkEnv.get();
    return new SpillStore(env.blockManager().diskBlockManager(), env.serializerManager());
  }

  List<OperatorMemory> operators() {
    synchronized (operators) {
      return new ArrayList<>(operators);
    }
  }

  int operatorCount() {
    synchronized (operators) {
      return operators.size();
    }
  }

  /** An operator has closed; its figures are zero. */
  void closed(OperatorMemory operator) {
    synchronized (operators) {
      operators.remove(operator);
    }
  }

  void grew(long bytes) {
    long now = usedBytes.addAndGet(bytes);
    peakBytes.accumulateAndGet(now, Math::max);
  }

  void shrank(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  void countSpilled(long bytes) {
    spilledBytes.addAndGet(bytes);
    executor.countSpilled(bytes);
    context.taskMetrics().incMemoryBytesSpilled(bytes);
  }

  void countStored(long bytes) {
    context.taskMetrics().incDiskBytesSpilled(bytes);
  }

  void countRung(Rung rung) {
    rungs.computeIfAbsent(rung, r -> new AtomicLong()).incrementAndGet();
  }

  void emit(MemoryEvent event) {
    executor.emit(event);
  }

  /** Another task asks for a spill at the next batch boundary. From any thread. */
  void requestSpill(long bytes) {
    requestedBytes.accumulateAndGet(bytes, Math::max);
  }

  /** The container guard asks for memory of the process; 0 takes it back. From any thread. */
  void requestShedding(long bytes) {
    shedBytes.set(bytes);
  }

  /** What spilling could make free at most, beyond the operators' minimum. */
  long sheddableBytes() {
    return operators().stream().mapToLong(OperatorMemory::sheddableBytes).sum();
  }

  /** Spills if the container guard has asked; where the operators can be spilled. */
  void shed() {
    if (shedBytes.get() > 0 && maySpill()) {
      // First what is only reserved: it is no memory of the process, so it must not count.
      giveBackIdle();
      spillOwn(null, 1);
    }
  }

  void atBatchBoundary() {
    endIfKilled();
    shed();
    long bytes = requestedBytes.get() == 0 ? 0 : requestedBytes.getAndSet(0);
    if (bytes > 0 && maySpill()) {
      long freed = giveBackIdle();
      if (freed < bytes) {
        spillOwn(null, bytes - freed);
      }
    }
  }

  void endIfKilled() {
    context.killTaskIfInterrupted();
  }

  /** Whether it shares Spark's memory, which it does from its first request on. */
  boolean isActive() {
    return active;
  }

  /**
   * What Spark would grant now without a spill; the task is one of those that share from now on.
   */
  long grantableBytes() {
    active = true;
    return executor.grantableBytes(sparkManager().getMemoryConsumptionForThisTask());
  }

  PeerWait peerWait() {
    return peerWait;
  }

  boolean isWaiting() {
    return peerWait.isWaiting();
  }

  boolean hasGivenWay() {
    return peerWait.hasGivenWay();
  }

  void giveWay() {
    peerWait.giveWay();
  }

  long giveBackIdle() {
    return operators().stream().mapToLong(OperatorMemory::giveBackIdle).sum();
  }

  /** Whether this thread may spill operators of this task now. */
  boolean maySpill() {
    return Thread.currentThread() == thread && !spilling && state == State.OPEN;
  }

  /**
   * Spills until enough went back to Spark, and what the container guard asks for besides: the
   * largest operator first, the asking one last.
   */
  long spillOwn(OperatorMemory asking, long atLeastBytes) {
    long bytes = Math.max(atLeastBytes, maySpill() ? shedBytes.getAndSet(0) : 0);
    List<OperatorMemory> order = operators();
    order.sort(Comparator.comparingLong(OperatorMemory::usedBytes).reversed());
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
    return freed;
  }

  /** Spills one operator if that may be done here and now, else answers 0. */
  long spill(OperatorMemory operator, long bytes) {
    if (!maySpill() || !operator.isSpillable()) {
      return 0;
    }
    spilling = true;
    long startNanos = System.nanoTime();
    long freed;
    try {
      freed = operator.spillNow(bytes);
    } finally {
      spilling = false;
    }
    if (freed > 0) {
      emit(
          new MemoryEvent.Spilled(
              taskAttemptId(), operator.name(), freed, System.nanoTime() - startNanos));
    }
    return freed;
  }
}
