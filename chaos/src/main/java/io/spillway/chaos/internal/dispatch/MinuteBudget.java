package io.spillway.chaos.internal.dispatch;

import java.util.concurrent.atomic.AtomicReference;

/** So many faults in each minute; minutes are counted from arming. Any thread, no lock. */
final class MinuteBudget {
  private static final long SECONDS = 60;

  private final long perMinute;
  private final AtomicReference<Spent> spent = new AtomicReference<>(new Spent(0, 0));

  MinuteBudget(long perMinute) {
    this.perMinute = perMinute;
  }

  /**
   * Takes one fault of the current minute.
   *
   * @param seconds since arming
   * @return false if there is none left
   */
  boolean take(long seconds) {
    if (perMinute == Long.MAX_VALUE) {
      return true;
    }
    long minute = seconds / SECONDS;
    while (true) {
      Spent now = spent.get();
      Spent then =
          now.minute() == minute ? new Spent(minute, now.faults() + 1) : new Spent(minute, 1);
      if (then.faults() > perMinute) {
        return false;
      }
      if (spent.compareAndSet(now, then)) {
        return true;
      }
    }
  }

  private record Spent(long minute, long faults) {}
}
