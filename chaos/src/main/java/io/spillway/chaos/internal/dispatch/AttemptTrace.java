package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What one task attempt went through, for the report: when it began, which faults it got, when the
 * points that failed let it pass again, and what failed it. Any thread; a task's helper threads
 * write to its trace too.
 */
final class AttemptTrace {
  private final Instant started = Instant.now();
  private final long startedNanos = System.nanoTime();
  private final Queue<FaultTrace> faults = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** A bit for each point, by its ordinal, that has failed and not been passed since. */
  private final AtomicLong failing = new AtomicLong();

  /** When the attempt was first seen: at the start of its body, or at its first call of a point. */
  Instant started() {
    return started;
  }

  /** Nanoseconds since then. */
  long elapsedNanos() {
    return System.nanoTime() - startedNanos;
  }

  /** A fault is about to be injected. */
  void fired(FaultPoint point, long call, int rule) {
    faults.add(new FaultTrace(point, call, rule, System.nanoTime()));
    failing.getAndUpdate(bits -> bits | bit(point));
  }

  /** A call has passed a point: whatever had failed there is overcome. */
  void passed(FaultPoint point) {
    // Asked at every call of every point, so the common answer is one volatile read.
    if ((failing.get() & bit(point)) == 0) {
      return;
    }
    failing.getAndUpdate(bits -> bits & ~bit(point));
    long now = System.nanoTime();
    for (FaultTrace fault : faults) {
      if (fault.point == point) {
        fault.overcome(now);
      }
    }
  }

  /** Spark has told what failed the attempt; the first word counts. */
  void failed(Throwable error) {
    failure.compareAndSet(null, error);
  }

  /** What failed the attempt; null if nothing has. */
  Throwable failure() {
    return failure.get();
  }

  /** The faults so far, in order. */
  List<FaultTrace> faults() {
    return List.copyOf(faults);
  }

  @SuppressWarnings("EnumOrdinal") // A bit of this JVM's memory, written down nowhere.
  private static long bit(FaultPoint point) {
    return 1L << point.ordinal();
  }

  /** One fault of the attempt. */
  static final class FaultTrace {
    private final FaultPoint point;
    private final long call;
    private final int rule;
    private final long firedNanos;
    private final AtomicLong overcomeNanos = new AtomicLong(-1);

    private FaultTrace(FaultPoint point, long call, int rule, long firedNanos) {
      this.point = point;
      this.call = call;
      this.rule = rule;
      this.firedNanos = firedNanos;
    }

    private void overcome(long nowNanos) {
      overcomeNanos.compareAndSet(-1, nowNanos - firedNanos);
    }

    FaultPoint point() {
      return point;
    }

    long call() {
      return call;
    }

    int rule() {
      return rule;
    }

    /**
     * Nanoseconds from the fault until a call of the attempt passed its point again; where none
     * has, until now.
     */
    long recoveryNanos() {
      long overcome = overcomeNanos.get();
      return overcome >= 0 ? overcome : System.nanoTime() - firedNanos;
    }
  }
}
