package io.spillway.memory.guard;

import java.io.IOException;

/** Looks at the memory of the container. */
@FunctionalInterface
public interface MemoryReader {
  /**
   * One look. Called by the guard's own thread and by tasks that want to grow, one at a time.
   *
   * @return the figures of this moment
   * @throws IOException if they cannot be read; the guard lets tasks grow until they can
   */
  Reading read() throws IOException;

  /**
   * The figures of one moment.
   *
   * @param group whose limit is the nearest
   * @param usedBytes what counts against the limit and cannot simply be dropped by the kernel
   * @param limitBytes of the group; {@link #NO_LIMIT} if there is none
   * @param residentBytes of this process alone, for the log; -1 if unknown
   */
  record Reading(String group, long usedBytes, long limitBytes, long residentBytes) {
    /** What {@code limitBytes} is without a limit. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /** Used, as a fraction of the limit. */
    public double fraction() {
      return (double) usedBytes / Math.max(1, limitBytes);
    }
  }
}
