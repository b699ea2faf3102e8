package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** What has become of one point of the armed plan. Any thread. */
public final class PointState {
  private final FaultPoint point;
  private final boolean armed;
  private final LongSupplier running;
  private final LongAdder ended = new LongAdder();
  private final LongAdder fired = new LongAdder();
  private final Wiring wiring;

  /** A point whose class is as it was; the parameters are those of the other constructor. */
  PointState(FaultPoint point, boolean armed, LongSupplier running) {
    this(point, armed, running, new Wiring());
  }

  /**
   * @param armed whether a rule of the plan is for the point
   * @param running calls of the attempts that still run, and of everything outside tasks
   */
  private PointState(FaultPoint point, boolean armed, LongSupplier running, Wiring wiring) {
    this.running = running;
    this.point = point;
    this.armed = armed;
    this.wiring = wiring;
  }

  /** The same point under the plan that comes next: its class is what it is, its counts are 0. */
  PointState next(boolean armedNext, LongSupplier runningNext) {
    return new PointState(point, armedNext, runningNext, wiring);
  }

  /** What holds as long as the class does, whatever plan is armed. */
  private static final class Wiring {
    private final AtomicReference<String> disarmReason = new AtomicReference<>();
    private volatile boolean instrumented;
  }

  /** The point. */
  public FaultPoint point() {
    return point;
  }

  /** Whether a rule of the plan is for the point. */
  public boolean armed() {
    return armed;
  }

  /** Whether the seam's class was loaded and changed, and the point is still armed. */
  public boolean instrumented() {
    return wiring.instrumented && wiring.disarmReason.get() == null;
  }

  /** Notes that the seam's class has been changed. */
  public void setInstrumented() {
    wiring.instrumented = true;
  }

  /** Why the point was disarmed; null if it was not. */
  public String disarmReason() {
    return wiring.disarmReason.get();
  }

  /** Disarms the point for good; says so on the first call. */
  public void disarm(String reason) {
    if (wiring.disarmReason.compareAndSet(null, reason)) {
      Console.say("the point " + point.id() + " is disarmed: " + reason);
    }
  }

  /** Calls that came to the point. */
  public long reached() {
    return ended.sum() + running.getAsLong();
  }

  /** Faults injected at the point. */
  public long fired() {
    return fired.sum();
  }

  /**
   * Takes over the calls of an attempt that has ended. While it runs its own count is the only one:
   * a second one would make every call of every point dearer.
   */
  void countEnded(long calls) {
    ended.add(calls);
  }

  void countFired() {
    fired.increment();
  }
}
