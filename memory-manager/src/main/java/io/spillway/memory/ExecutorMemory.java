package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEventListener;
import io.spillway.memory.guard.ContainerGuard;
import io.spillway.memory.guard.GuardStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native memory of one executor: opens a scope for each task attempt, finds it again, and sums.
 * Thread-safe.
 *
 * <p>The order of a task's life: {@link #openTask} at its start, before any other completion
 * listener is registered; the listener closes the scope; {@link #taskFailed} or {@link
 * #taskSucceeded} afterwards, on the task's thread, verify that.
 */
public final class ExecutorMemory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorMemory.class);
  private static final int REMEMBERED_LEAKS = 100;
  private static final AtomicReference<ExecutorMemory> INSTALLED = new AtomicReference<>();

  private final MemorySettings settings;
  private final MemoryEventListener listener;
  private final PageSource pages;
  private final SparkPool pool;
  private final Ledger ledger = new Ledger();
  private final Map<Long, TaskMemory> tasks = new ConcurrentHashMap<>();
  private final PeerPressure peers;
  private final ContainerGuard guard;
  private final SharedMemory shared;

  /** Not static: executors of one JVM (in tests) must not see each other's tasks. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<TaskMemory> bound = new ThreadLocal<>();

  private final AtomicLong spilledBytes = new AtomicLong();
  private final AtomicLong reclaimedBytes = new AtomicLong();
  private final AtomicLong leakedBytes = new AtomicLong();
  private final AtomicLong quarantinedBytes = new AtomicLong();
  private final List<BlockOwner> leaks = new ArrayList<>();

  /**
   * The memory of an executor that has none yet. Watches this process's container until it is
   * closed, on a daemon thread.
   *
   * @param settings resolved on the driver
   * @param listener hears every event, on the thread that caused it
   */
  public ExecutorMemory(MemorySettings settings, MemoryEventListener listener) {
    this(
        settings,
        listener,
        new PageSource(),
        ExecutorMemory::sparkMemory,
        ContainerGuard.ofThisProcess(settings.guard()));
  }

  ExecutorMemory(
      MemorySettings settings,
      MemoryEventListener listener,
      PageSource pages,
      Supplier<MemoryManager> spark,
      ContainerGuard guard) {
    this.settings = settings;
    this.listener = listener;
    this.pages = pages;
    this.pool = new SparkPool(spark, settings.offHeapBytes(), settings.offHeapStorageBytes());
    this.peers =
        new PeerPressure(tasks.values(), pool::executionBytes, settings.waitInitialMillis());
    this.guard = guard;
    this.shared = new SharedMemory(pages, ledger, pool, guard, settings);
    guard.start(ledger::usedBytes, this::shed, this::emit);
  }

  /** For the container: what nobody uses goes first, and at once. On the guard's thread. */
  private void shed(long bytes) {
    long freed = bytes > 0 ? shared.evictUnused(bytes) : 0;
    new Shedding(tasks.values()).request(Math.max(0, bytes - freed));
  }

  private static MemoryManager sparkMemory() {
    SparkEnv env = SparkEnv.get();
    return env == null ? null : env.memoryManager();
  }

  /**
   * Makes one the process's own, where operators find it; null takes it away. A second one beside
   * it would guard the same container with another ledger, so that is warned of.
   */
  public static void install(ExecutorMemory memory) {
    ExecutorMemory before = INSTALLED.getAndSet(memory);
    if (memory != null && before != null && before != memory) {
      LOG.warn(
          "An ExecutorMemory was installed in place of another that is not closed: does the"
              + " application list two plugins that manage native memory?");
    }
  }

  /** The process's own, if there is one. */
  public static Optional<ExecutorMemory> installed() {
    return Optional.ofNullable(INSTALLED.get());
  }

  /**
   * Opens the scope of a task attempt, binds it to the calling thread, and registers the completion
   * listener that closes it. Idempotent per attempt.
   *
   * @param context of the task that runs on this thread
   * @return the scope
   */
  public TaskMemory openTask(TaskContext context) {
    TaskMemory existing = tasks.get(context.taskAttemptId());
    if (existing != null) {
      return existing;
    }
    TaskMemory opened = new TaskMemory(this, context);
    TaskMemory earlier = tasks.putIfAbsent(context.taskAttemptId(), opened);
    if (earlier != null) {
      opened.arrowRoot().close();
      return earlier;
    }
    if (!context.isCompleted()) {
      bound.set(opened);
    }
    context.addTaskCompletionListener(
        (TaskCompletionListener) ended -> taskCompleted(opened, !ended.isFailed()));
    return opened;
  }

  private void taskCompleted(TaskMemory task, boolean succeeded) {
    TaskReport report = task.close(succeeded);
    if (report != null
        && report.leakedBytes() > 0
        && settings.onLeak() == MemorySettings.OnLeak.FAIL) {
      throw new NativeLeakException(report);
    }
  }

  /**
   * Finds the scope of a task attempt, or opens it: Spark swallows what {@code onTaskStart} throws.
   *
   * @param context of the task that runs on this thread
   * @return the scope
   */
  public TaskMemory task(TaskContext context) {
    return openTask(context);
  }

  /** The scope bound to this thread, if a task was opened on it. */
  public Optional<TaskMemory> ofCurrentThread() {
    return Optional.ofNullable(bound.get());
  }

  /**
   * The backstop for an attempt that failed, on its thread, after Spark's own clean-up: frees what
   * is live if the completion listener did not, without releasing to Spark what it has taken back
   * already, and unbinds the thread.
   *
   * @return what the scope found, empty if none was bound
   */
  public Optional<TaskReport> taskFailed() {
    return unbind(false);
  }

  /**
   * The check after an attempt that succeeded, on its thread, after Spark's own clean-up: what is
   * still live is freed and counted as leaked. Unbinds the thread.
   *
   * @return what the scope found, empty if none was bound
   */
  public Optional<TaskReport> taskSucceeded() {
    return unbind(true);
  }

  private Optional<TaskReport> unbind(boolean succeeded) {
    TaskMemory task = bound.get();
    bound.remove();
    return task == null ? Optional.empty() : Optional.ofNullable(task.closeWithoutSpark(succeeded));
  }

  /** The figures of this moment. */
  public MemorySnapshot snapshot() {
    List<String> owners = new ArrayList<>();
    for (BlockOwner owner : BlockOwner.of(ledger.find(block -> true))) {
      owners.add(owner.describe());
    }
    for (BlockOwner leak : leaks()) {
      owners.add(leak.describe());
    }
    return new MemorySnapshot(
        ledger.usedBytes(),
        ledger.blocks(),
        ledger.peakBytes(),
        reservedBytes(),
        spilledBytes.get(),
        reclaimedBytes.get(),
        leakedBytes.get(),
        quarantinedBytes.get(),
        shared.usedBytes(),
        tasks.size(),
        owners,
        guard.status());
  }

  /**
   * The end of the executor: closes the scopes of attempts that have ended. A task that still runs
   * keeps its memory until it ends, because its kernels may be using it.
   */
  @Override
  public void close() {
    INSTALLED.compareAndSet(this, null);
    Closing closing = new Closing();
    for (TaskMemory task : tasks.values()) {
      if (task.context().isCompleted()) {
        closing.run(() -> task.closeWithoutSpark(!task.context().isFailed()));
      }
    }
    closing.run(guard::close);
    closing.run(shared::close);
    closing.rethrow();
  }

  /**
   * What operators of attempts that succeeded had left live, oldest first: the first hundred. How
   * much there was in all is {@link MemorySnapshot#leakedBytes}.
   */
  public List<BlockOwner> leaks() {
    synchronized (leaks) {
      return new ArrayList<>(leaks);
    }
  }

  /** Memory of this executor that tasks share. */
  public SharedMemory shared() {
    return shared;
  }

  /** What the container guard sees now. */
  public GuardStatus guardStatus() {
    return guard.status();
  }

  ContainerGuard guard() {
    return guard;
  }

  MemorySettings settings() {
    return settings;
  }

  MemoryBudget budget(int statefulOperators) {
    return new MemoryBudget(settings, statefulOperators);
  }

  /** What Spark would grant a task that holds so much, without a spill. */
  long grantableBytes(long heldBytes) {
    return pool.grantableBytes(heldBytes, tasksWithMemory());
  }

  /** Asks the tasks that hold more than Spark would let them take today. */
  void askAboveShare(TaskMemory asking, long bytes) {
    peers.askAbove(asking, bytes, pool.shareBytes(tasksWithMemory()));
  }

  /** Whether Spark would grant a task so much more if it had it. */
  boolean isWithinShare(TaskMemory task, long bytes) {
    return task.grantedBytes() <= pool.shareBytes(tasksWithMemory()) - bytes;
  }

  /** An asking task counts from its first request on, as in Spark. */
  private int tasksWithMemory() {
    int count = 0;
    for (TaskMemory task : tasks.values()) {
      count += task.isActive() ? 1 : 0;
    }
    return count;
  }

  PageSource pages() {
    return pages;
  }

  Ledger ledger() {
    return ledger;
  }

  PeerPressure peers() {
    return peers;
  }

  long reservedBytes() {
    return tasks.values().stream().mapToLong(TaskMemory::reservedBytes).sum();
  }

  int openTasks() {
    return tasks.size();
  }

  void memoryReturned() {
    peers.memoryReturned();
  }

  /** Charges bytes that belong to no task, as far as Spark has room; never fails. */
  StorageCharge chargeStorage(String name, long bytes) {
    return pool.chargeStorage(name, bytes);
  }

  void quarantined(long bytes) {
    quarantinedBytes.addAndGet(bytes);
  }

  void freedFromQuarantine(long bytes) {
    quarantinedBytes.addAndGet(-bytes);
    reclaimedBytes.addAndGet(bytes);
  }

  void countSpilled(long bytes) {
    spilledBytes.addAndGet(bytes);
  }

  /** A scope has closed. */
  void closed(TaskMemory task, TaskReport report) {
    tasks.remove(task.taskAttemptId(), task);
    reclaimedBytes.addAndGet(report.reclaimedBytes());
    leakedBytes.addAndGet(report.leakedBytes());
    if (report.leakedBytes() > 0) {
      synchronized (leaks) {
        for (BlockOwner owner : report.owners()) {
          if (leaks.size() < REMEMBERED_LEAKS) {
            leaks.add(owner);
          }
        }
      }
    }
  }

  void emit(MemoryEvent event) {
    try {
      listener.onEvent(event);
    } catch (Throwable t) {
      // Whatever it is: the memory told of must not be lost for it.
      LOG.warn("A memory event listener failed on {}", event, t);
    }
  }
}
