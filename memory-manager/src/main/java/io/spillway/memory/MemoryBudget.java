package io.spillway.memory;

/**
 * Sizes for a stateful operator, derived from what a task can count on: the off-heap memory,
 * divided by the executor's task slots and by the stateful operators of a task. Pages, fan-out and
 * batches shrink with the share, so that the least share is enough for all of them. Immutable.
 */
public final class MemoryBudget {
  private static final int FEWEST_STATEFUL_OPERATORS = 2;
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final long ROW_BYTES = 64;

  private final long shareBytes;
  private final long quantumBytes;

  MemoryBudget(MemorySettings settings, int statefulOperators) {
    long taskBytes = settings.offHeapBytes() / settings.taskSlots();
    int parts = Math.max(FEWEST_STATEFUL_OPERATORS, statefulOperators);
    shareBytes = Math.max(settings.minOperatorBytes(), taskBytes / parts);
    // Of the task's memory, not the operator's: it must not change while operators open.
    quantumBytes =
        settings.quantumBytes() > 0
            ? settings.quantumBytes()
            : powerOfTwoWithin(taskBytes / 64, 4 * KIB, MIB);
  }

  /** What one stateful operator of a task can count on when all slots are busy, in bytes. */
  public long shareBytes() {
    return shareBytes;
  }

  /** Rows of a batch: 256 to 4096, an eighth of the share at 64 bytes a row. */
  public int batchRows() {
    return (int) powerOfTwoWithin(shareBytes / 8 / ROW_BYTES, 256, 4096);
  }

  /** Bytes of a page of state: 4 KiB to 1 MiB. */
  public int pageBytes() {
    return (int) powerOfTwoWithin(shareBytes / 512, 4 * KIB, MIB);
  }

  /** How many bits of a hash choose a partition: 0 (one partition) to 6. */
  public int partitionBits() {
    if (shareBytes < 256 * KIB) {
      return 0;
    }
    return Long.numberOfTrailingZeros(powerOfTwoWithin(shareBytes / 8 / pageBytes(), 1, 64));
  }

  /** Unit in which memory is reserved with Spark, in bytes. */
  public long quantumBytes() {
    return quantumBytes;
  }

  private static long powerOfTwoWithin(long value, long least, long most) {
    return Math.min(most, Math.max(least, Long.highestOneBit(value)));
  }
}
