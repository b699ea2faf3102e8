package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import io.spillway.memory.spill.SpillStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
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
  private static final String QUERY_PROPERTY = "spark.sql.execution.id";

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
  private final Stall stall = new Stall();
  private final TaskFigures figures = new TaskFigures();
  private final TaskSpilling spilling = new TaskSpilling(this);
  private final HelperThreads helpers;
  private final List<OperatorMemory> operators = new ArrayList<>();

  /** Guarded by the operators' lock. */
  private final List<SharedLease<?>> leases = new ArrayList<>();

  private volatile State state = State.OPEN;
  private volatile TaskReport report;
  private final AtomicReference<OperatorFailure> failure = new AtomicReference<>();

  /** Whether it has asked Spark for memory: it is one of those that share it from then on. */
  private volatile boolean active;

  TaskMemory(ExecutorMemory executor, TaskContext context) {
    this.executor = executor;
    this.context = context;
    this.helpers = new HelperThreads(executor.settings().helperWaitMillis());
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
    return figures.usedBytes();
  }

  /** Bytes reserved with Spark by all its operators, idle ones included. */
  public long reservedBytes() {
    return operators().stream().mapToLong(OperatorMemory::reservedBytes).sum();
  }

  /** Highest {@link #usedBytes} so far. */
  public long peakBytes() {
    return figures.peakBytes();
  }

  /** Bytes of state written to disk so far, before compression. */
  public long spilledBytes() {
    return figures.spilledBytes();
  }

  /** How often a rung of the ladder was climbed by this task. */
  public long climbs(Rung rung) {
    return figures.climbs(rung);
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
    List<OperatorMemory> open;
    synchronized (operators) {
      if (state != State.OPEN) {
        return report;
      }
      state = State.CLOSING;
      open = new ArrayList<>(operators);
    }
    ScopeEnd end = new ScopeEnd(this, succeeded, open);
    report = end.run();
    state = State.CLOSED;
    executor.closed(this, report);
    end.finish(report);
    return report;
  }

  // ---- threads beside the task's own

  /** Whether the calling thread is the task's own. */
  public boolean isTaskThread() {
    return Thread.currentThread() == thread;
  }

  /**
   * Runs a step that uses native memory of this task on a thread that may not be the task's: the
   * task's end waits for it before anything is freed. A thread that works for long may do all its
   * work as one step, provided that it ends when it is interrupted; one that pulls rows takes a
   * step for each. On the task's own thread this is a plain call.
   *
   * <p>A step still under way {@code spark.spillway.memory.helperWait} after the task's end is
   * interrupted; if it does not end within as long again, what the task holds is freed when it
   * does, and told as quarantined meanwhile.
   *
   * @param step what to do; may take further steps itself
   * @param ended the answer if the task has ended, so that the step must not begin
   * @return what the step returned, or {@code ended}
   */
  public <T> T onHelperThread(Supplier<T> step, T ended) {
    return isTaskThread() ? step.get() : helpers.run(step, ended);
  }

  /**
   * Lets no helper thread begin a further step, and waits for those under way as {@link
   * #onHelperThread} says. For whoever frees memory of this task at its end, on the task's thread;
   * later calls do not wait again.
   *
   * @return whether no helper thread uses the memory now; if not, it must not be freed
   */
  public boolean awaitHelpers() {
    return helpers.end();
  }

  /**
   * What an operator of this attempt threw, for the attempt's report. The first that is told stays:
   * those through which it passes afterwards are not to blame.
   *
   * @param operator its name
   * @param thrown by its own code
   */
  public void failedIn(String operator, Throwable thrown) {
    failure.compareAndSet(
        null,
        new OperatorFailure(
            operator,
            context.stageId(),
            context.stageAttemptNumber(),
            thrown.toString().lines().findFirst().orElse("")));
  }

  // ---- what operators, the ladder and the executor use

  Optional<OperatorFailure> failure() {
    return Optional.ofNullable(failure.get());
  }

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

  /** Spark's id of the SQL query that the task belongs to; empty if it belongs to none. */
  String query() {
    String id = context.getLocalProperty(QUERY_PROPERTY);
    return id == null ? "" : id;
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

  /** Keeps a lease until the end of the attempt; false if that has come. */
  boolean keep(SharedLease<?> lease) {
    synchronized (operators) {
      return state == State.OPEN && leases.add(lease);
    }
  }

  /** Closes the leases that are open, once nothing of this task uses them any more. */
  void closeLeases(Closing closing) {
    List<SharedLease<?>> open;
    synchronized (operators) {
      open = new ArrayList<>(leases);
      leases.clear();
    }
    for (SharedLease<?> lease : open) {
      closing.run(lease::close);
    }
  }

  TaskFigures figures() {
    return figures;
  }

  TaskSpilling spilling() {
    return spilling;
  }

  HelperThreads helpers() {
    return helpers;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  /** Its live blocks. */
  List<LedgeredBlock> ledgered() {
    List<LedgeredBlock> found = new ArrayList<>();
    executor
        .ledger()
        .part(taskAttemptId())
        .find(block -> block.owner().taskAttemptId() == taskAttemptId(), found);
    return found;
  }

  void countSpilled(long bytes) {
    figures.spilled(bytes);
    executor.countSpilled(bytes);
    context.taskMetrics().incMemoryBytesSpilled(bytes);
  }

  void countStored(long bytes) {
    context.taskMetrics().incDiskBytesSpilled(bytes);
  }

  void emit(MemoryEvent event) {
    executor.emit(event);
  }

  void atBatchBoundary() {
    endIfKilled();
    spilling.atBatchBoundary();
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
    return executor.grantableBytes(grantedBytes());
  }

  /** What Spark has granted to all operators of the task, those of the JVM included. */
  long grantedBytes() {
    return sparkManager().getMemoryConsumptionForThisTask();
  }

  /**
   * Whether so much more could ever fit beside what it uses, of which it has spilled what it can.
   */
  boolean couldHold(long bytes) {
    return bytes <= executor.settings().offHeapBytes() - usedBytes();
  }

  /** Whether it holds more than Spark would grant it today; asks Spark. */
  boolean isBeyondShare() {
    return !executor.isWithinShare(this, 0);
  }

  Stall stall() {
    return stall;
  }

  /** Whether it stands still, and nothing that it holds is about to come back. */
  boolean isStalled() {
    return stall.isLong() && !spilling.isUnderWay();
  }

  PeerWait peerWait() {
    return peerWait;
  }

  boolean isWaiting() {
    return peerWait.isWaiting();
  }

  /** Whether it waits, and does less if it is refused. */
  boolean couldDoLess() {
    return peerWait.couldDoLess();
  }

  boolean hasGivenWay() {
    return peerWait.hasGivenWay();
  }

  void giveWay() {
    peerWait.giveWay();
  }
}
