package io.spillway.plugin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The driver's picture of the executors' native memory, made of what they tell it. Thread-safe. It
 * stays readable after {@code SparkContext.stop()}, until another application starts in the same
 * process.
 */
public final class ClusterMemory {
  private static final AtomicReference<ClusterMemory> LATEST = new AtomicReference<>();

  private final Map<String, ExecutorMessage.Snapshot> snapshots = new TreeMap<>();
  private final Set<String> expected = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private long taskPeakBytes;

  ClusterMemory() {}

  /** The picture of the application that started last in this process, if Spillway ran in it. */
  public static Optional<ClusterMemory> latest() {
    return Optional.ofNullable(LATEST.get());
  }

  static void publish(ClusterMemory memory) {
    LATEST.set(memory);
  }

  /**
   * The newest report of each executor that ever sent one, ordered by executor id; also of those
   * that are gone.
   */
  public List<ExecutorReport> reports() {
    synchronized (snapshots) {
      return snapshots.values().stream()
          .map(ExecutorMessage.Snapshot::report)
          .sorted(Comparator.comparing(ExecutorReport::executorId))
          .toList();
    }
  }

  /**
   * The highest native memory of any task attempt that ended since the last call, in bytes. Reports
   * of tasks may still be under way when a query's result is there.
   */
  public long takeTaskPeakBytes() {
    synchronized (snapshots) {
      long highest = taskPeakBytes;
      taskPeakBytes = 0;
      return highest;
    }
  }

  void ready(String executorId) {
    synchronized (snapshots) {
      expected.add(executorId);
      lost.remove(executorId);
    }
  }

  void received(ExecutorMessage.Snapshot snapshot) {
    synchronized (snapshots) {
      String id = snapshot.executorId();
      expected.add(id);
      taskPeakBytes = Math.max(taskPeakBytes, snapshot.report().taskPeakBytes());
      ExecutorMessage.Snapshot known = snapshots.get(id);
      boolean overtaken =
          known != null && (known.report().last() || known.sequence() > snapshot.sequence());
      if (!overtaken) {
        snapshots.put(id, snapshot);
      }
      snapshots.notifyAll();
    }
  }

  /** The executor is gone; nobody waits for it any more. */
  void lost(String executorId) {
    synchronized (snapshots) {
      lost.add(executorId);
      snapshots.notifyAll();
    }
  }

  /**
   * Waits until every executor that is not lost has sent its last report.
   *
   * @return the executors that have not when the time is over, or the thread was interrupted (its
   *     flag is set again)
   */
  List<String> awaitLast(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (snapshots) {
      List<String> missing = missing();
      while (!missing.isEmpty()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return missing;
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(snapshots, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return missing;
        }
        missing = missing();
      }
      return missing;
    }
  }

  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (String id : expected) {
      ExecutorMessage.Snapshot snapshot = snapshots.get(id);
      boolean reportedLast = snapshot != null && snapshot.report().last();
      if (!reportedLast && !lost.contains(id)) {
        missing.add(id);
      }
    }
    missing.sort(Comparator.naturalOrder());
    return missing;
  }
}
