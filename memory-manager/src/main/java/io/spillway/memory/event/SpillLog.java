package io.spillway.memory.event;

import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Writes a line for a spill, at most one a second: a starved task spills thousands of times, and
 * its log must not become a load of its own. What fell between two lines is summed up in the next
 * one.
 *
 * <p>Thread-safe.
 */
final class SpillLog {
  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final Logger log;
  private final LongSupplier nanoClock;
  private boolean written;
  private long lastNanos;
  private long spills;
  private long bytes;
  private long nanos;

  SpillLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
  }

  void add(MemoryEvent.Spilled event) {
    String line = null;
    synchronized (this) {
      spills++;
      bytes += event.freedBytes();
      nanos += event.nanos();
      long now = nanoClock.getAsLong();
      if (!written || now - lastNanos >= INTERVAL_NANOS) {
        line =
            String.format(
                "Spilled: %d bytes in %d spill(s), %d ms, since the last such line; the last one"
                    + " by task %d / %s",
                bytes, spills, nanos / 1_000_000, event.taskAttemptId(), event.operator());
        written = true;
        lastNanos = now;
        spills = 0;
        bytes = 0;
        nanos = 0;
      }
    }
    if (line != null) {
      log.info(line);
    }
  }
}
