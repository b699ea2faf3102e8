package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.guard.ContainerGuard;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * Native memory of the executor that its tasks share, such as the table of a broadcast join: built
 * once, counted by the tasks that use it, charged to Spark's off-heap storage pool, and in the same
 * ledger as all other. What finds no room there can be shared as a spill file. What no task uses
 * stays for the next one, and is evicted, least recently used first, as soon as anybody needs the
 * room; Spark could not do that, as its eviction walks its own memory store only. Whoever knows
 * that queries have ended has what only they used go at once.
 *
 * <p>Thread-safe. Its lock is a leaf: neither Spark nor a builder is called while it is held.
 */
public final class SharedMemory {
  private final PageSource pages;
  private final Ledger ledger;
  private final SparkPool pool;
  private final ContainerGuard guard;
  private final MemorySettings settings;
  private final Map<String, SharedEntry> entries = new HashMap<>();

  /** What threads wait for, each for one thing. */
  private final Map<Thread, SharedEntry> awaited = new HashMap<>();

  private final AtomicLong usedBytes = new AtomicLong();
  private long clock;
  private boolean closed;

  SharedMemory(
      PageSource pages,
      Ledger ledger,
      SparkPool pool,
      ContainerGuard guard,
      MemorySettings settings) {
    this.pages = pages;
    this.ledger = ledger;
    this.pool = pool;
    this.guard = guard;
    this.settings = settings;
  }

  /**
   * Makes what is to be shared, on the thread of the task that asked first, with no lock held. What
   * it throws fails that task; its region is freed, and the next task that asks builds anew.
   *
   * @param <T> what is shared; immutable once it is built, as many threads will read it
   */
  @FunctionalInterface
  public interface Builder<T> {
    /**
     * Builds it.
     *
     * @param region where its native memory comes from
     * @return never null
     */
    T build(SharedRegion region);
  }

  /**
   * What a key stands for: found, awaited while another task builds it, or built here.
   *
   * @param key names it within the application
   * @param type of what is shared
   * @param task that uses it; its scope closes the lease if nobody does
   * @param builder used if it is not there, or if the task that builds it waits for memory that
   *     nobody gives back as long as this one waits
   * @return a lease, which the caller closes
   * @throws org.apache.spark.TaskKilledException if the task is killed while it waits
   */
  public <T> SharedLease<T> lease(
      String key, Class<T> type, TaskMemory task, Builder<? extends T> builder) {
    while (true) {
      SharedEntry entry;
      boolean builds;
      synchronized (this) {
        entry = entries.get(key);
        builds = entry == null;
        if (builds) {
          entry = new SharedEntry(key, new SharedRegion(this, key), task);
          if (closed) {
            entry.dropped = true;
          } else {
            entries.put(key, entry);
          }
        }
        entry.leases++;
        entry.lastUse = clock++;
        entry.queries.add(task.query());
      }
      SharedEntry leased = entry;
      SharedLease<T> lease = null;
      try {
        Object value = builds ? build(leased, builder) : await(leased, task);
        // Another task's build that failed is not this one's failure: it tries itself.
        if (value != null) {
          lease = lease(leased, type.cast(value), task);
          return lease;
        }
      } finally {
        if (lease == null) {
          release(leased);
        }
      }
    }
  }

  private Object await(SharedEntry entry, TaskMemory task) {
    startWaiting(entry);
    try {
      Object value = entry.await(task, () -> isStuck(entry, task));
      if (value == null) {
        // Not built: what its builder may still make of it is that task's alone.
        drop(entry);
      }
      return value;
    } finally {
      stopWaiting();
    }
  }

  /**
   * Whether the builder stands inside Spark's own request, where it can neither give way nor be
   * told anything, and nobody gives memory back as long as the task that waits for it does not go
   * on. A builder that waits for another's build looks after that one itself.
   */
  private boolean isStuck(SharedEntry entry, TaskMemory task) {
    return task.stall().isLongHere()
        && entry.isBuilderStalled()
        && !isAwaiting(entry.builder())
        && task.grantedBytes() > 0
        && task.executor().peers().othersStand(task);
  }

  private synchronized boolean isAwaiting(Thread thread) {
    return awaited.containsKey(thread);
  }

  /** Builders that wait for each other, or for themselves, would do so for good. */
  private synchronized void startWaiting(SharedEntry entry) {
    Thread builder = entry.builder();
    while (builder != null) {
      if (builder == Thread.currentThread()) {
        throw new IllegalStateException(
            "the builder of shared memory asks for "
                + entry.key
                + ", which waits for what this thread builds itself: a builder must not need its"
                + " own result, directly or through another builder");
      }
      SharedEntry next = awaited.get(builder);
      builder = next == null ? null : next.builder();
    }
    awaited.put(Thread.currentThread(), entry);
  }

  private synchronized void stopWaiting() {
    awaited.remove(Thread.currentThread());
  }

  private <T> T build(SharedEntry entry, Builder<T> builder) {
    try {
      T value = Objects.requireNonNull(builder.build(entry.region), "the builder of " + entry.key);
      entry.built(value);
      return value;
    } catch (Throwable t) {
      // First forgotten, so that those who wait do not find it once more.
      drop(entry);
      entry.failed(t);
      throw t;
    }
  }

  private <T> SharedLease<T> lease(SharedEntry entry, T value, TaskMemory task) {
    SharedLease<T> lease = new SharedLease<>(value, () -> release(entry), () -> drop(entry));
    if (!task.keep(lease)) {
      throw new IllegalStateException(
          "task " + task.taskAttemptId() + " has ended: it cannot use " + entry.key);
    }
    return lease;
  }

  /**
   * What a key stands for is not used any more: freed with its last lease, at once if there is
   * none.
   */
  public void forget(String key) {
    SharedEntry entry;
    synchronized (this) {
      entry = entries.get(key);
      if (entry == null) {
        return;
      }
      entry.leases++;
    }
    drop(entry);
    release(entry);
  }

  /**
   * Frees memory that no task uses, least recently used first. What is on disk only stays.
   *
   * @param bytes wanted; more may be freed
   * @return bytes freed
   */
  public long evictUnused(long bytes) {
    long freed = 0;
    while (freed < bytes) {
      SharedEntry entry = takeUnused();
      if (entry == null) {
        break;
      }
      freed += entry.region.close();
    }
    return freed;
  }

  /**
   * The queries that have used what no task uses now, by Spark's ids of SQL executions. Whoever
   * knows which of them have ended says so with {@link #evictUnusedOf}.
   */
  public synchronized Set<String> queriesOfUnused() {
    return entries.values().stream()
        .filter(SharedMemory::isUnused)
        .flatMap(entry -> entry.queries.stream())
        .filter(query -> !query.isEmpty())
        .collect(Collectors.toSet());
  }

  /**
   * Frees what no task uses and no other query has used.
   *
   * @param ended queries, by Spark's ids of SQL executions
   * @return bytes freed
   */
  public long evictUnusedOf(Set<String> ended) {
    return closeUnused(entry -> entry.isOver(ended));
  }

  /**
   * Frees what tasks that belong to no query have asked for, and no task has used for some time:
   * nobody hears of the end of the jobs of those.
   *
   * @param idle that time
   * @return bytes freed
   */
  public long evictIdle(Duration idle) {
    long now = System.nanoTime();
    long idleNanos = idle.toNanos();
    return closeUnused(entry -> entry.isIdle(now, idleNanos));
  }

  private long closeUnused(Predicate<SharedEntry> which) {
    List<SharedEntry> mine;
    synchronized (this) {
      mine = entries.values().stream().filter(SharedMemory::isUnused).filter(which).toList();
      mine.forEach(entry -> entries.remove(entry.key));
    }
    // They are in the table no more: each must be closed here, whatever the others do.
    AtomicLong freed = new AtomicLong();
    Closing closing = new Closing();
    mine.forEach(entry -> closing.run(() -> freed.addAndGet(entry.region.close())));
    closing.rethrow();
    return freed.get();
  }

  private static boolean isUnused(SharedEntry entry) {
    return entry.leases == 0 && entry.isBuilt();
  }

  /** Bytes in live blocks, used by tasks or not, forgotten or not. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** The end of the executor: nothing stays any more, beyond the last lease of it. */
  void close() {
    synchronized (this) {
      closed = true;
      entries.values().stream().filter(entry -> entry.leases > 0).toList().forEach(this::drop);
    }
    closeUnused(entry -> true);
  }

  /** Whether it was asked for, and is not evicted. */
  synchronized boolean isKnown(String key) {
    return entries.containsKey(key);
  }

  private synchronized SharedEntry takeUnused() {
    SharedEntry oldest =
        entries.values().stream()
            .filter(
                entry -> isUnused(entry) && (entry.region.bytes() > 0 || !entry.region.hasFiles()))
            .min(Comparator.comparingLong(entry -> entry.lastUse))
            .orElse(null);
    if (oldest != null) {
      entries.remove(oldest.key);
    }
    return oldest;
  }

  private synchronized void drop(SharedEntry entry) {
    entry.dropped = true;
    entries.remove(entry.key, entry);
  }

  private void release(SharedEntry entry) {
    boolean last;
    synchronized (this) {
      entry.leases--;
      entry.unusedSinceNanos = System.nanoTime();
      if (isUnused(entry) && entry.isOver(Set.of())) {
        drop(entry);
      }
      last = entry.leases == 0 && entry.dropped;
    }
    if (last) {
      entry.region.close();
    }
  }

  // ---- what regions use

  PageSource pages() {
    return pages;
  }

  /** Charges bytes to Spark's storage pool, evicting for them what no task uses. */
  StorageCharge charge(String name, long bytes) {
    // First ours: Spark would write the user's cached blocks to disk before it refuses.
    boolean evicted = true;
    while (evicted && pool.freeBytes() < bytes) {
      evicted = evictUnused(1) > 0;
    }
    boolean admitted = guard.admits(bytes);
    while (!admitted && evictUnused(1) > 0) {
      admitted = guard.admits(bytes);
    }
    StorageCharge charge = admitted ? pool.chargeStorage(name, bytes) : null;
    if (charge == null || !charge.isHeld()) {
      throw denied(name, bytes);
    }
    return charge;
  }

  /** Takes pages and ledgers them. */
  LedgeredBlock take(SharedRegion region, long bytes) {
    long address = allocate(bytes);
    if (address == 0 && evictUnused(bytes) > 0) {
      address = allocate(bytes);
    }
    if (address == 0) {
      throw denied(region.name(), bytes);
    }
    try {
      LedgeredBlock block = new LedgeredBlock(region, address, bytes, null);
      ledger.part(MemoryEvent.NO_TASK).add(block);
      usedBytes.addAndGet(bytes);
      return block;
    } catch (Throwable t) {
      pages.free(address, bytes);
      throw t;
    }
  }

  private long allocate(long bytes) {
    try {
      return pages.allocate(bytes);
    } catch (OutOfMemoryError refusedByTheSystem) {
      // Ends here: Spark would kill the executor for it, even for one that is only a cause.
      return 0;
    }
  }

  void giveBack(LedgeredBlock block) {
    if (block.claim()) {
      pages.free(block.address(), block.bytes());
      ledger.part(MemoryEvent.NO_TASK).remove(block);
      usedBytes.addAndGet(-block.bytes());
    }
  }

  private SparkOutOfMemoryError denied(String name, long bytes) {
    String container = guard.explain(bytes);
    return new SparkOutOfMemoryError(
        "No native memory for "
            + name
            + ", which the tasks of this executor share: "
            + bytes
            + " bytes asked for, "
            + usedBytes()
            + " shared, "
            + ledger.usedBytes()
            + " used in all, limit spark.memory.offHeap.size="
            + settings.offHeapBytes()
            + ". "
            + (container.isEmpty() ? Denial.remedy(settings, "") : container));
  }
}
