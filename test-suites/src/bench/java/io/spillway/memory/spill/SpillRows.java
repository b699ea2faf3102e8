package io.spillway.memory.spill;

import java.util.SplittableRandom;
import org.apache.spark.unsafe.Platform;

/** State as an aggregate spills it: keys, a count, a sum of amounts with two decimals. */
final class SpillRows {
  private static final long SEED = 42;
  private static final int ROW_BYTES = 32;
  private static final long KEYS = 2_000_000;
  private static final int COUNTS = 20;
  private static final int CENTS = 1_000_000;

  private SpillRows() {}

  /** Fills a range, a multiple of 32 bytes, with rows; the same ones each time. */
  static void fill(long address, long bytes) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (long at = 0; at < bytes; at += ROW_BYTES) {
      long key = random.nextLong(KEYS);
      Platform.putLong(null, address + at, key);
      Platform.putLong(null, address + at + 8, key % 5);
      Platform.putLong(null, address + at + 16, 1 + random.nextInt(COUNTS));
      Platform.putDouble(null, address + at + 24, random.nextInt(CENTS) / 100.0);
    }
  }
}
