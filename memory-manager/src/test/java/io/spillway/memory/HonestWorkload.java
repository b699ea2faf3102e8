package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.unsafe.Platform;

/**
 * Blocks of 1 KiB to 64 MiB come and go for many rounds, in a process of its own, which then says
 * what it held beside what was charged. Run by {@link HonestBytesTest}.
 *
 * <p>A round fills memory, up to the limit or to a number of blocks, and frees it in random order.
 * Every round draws its largest size, so that some rounds are full of small blocks: by count nearly
 * all blocks of a query are, by bytes nearly none.
 */
final class HonestWorkload {
  private static final long LIMIT_BYTES = 512 * MIB;
  private static final int SMALLEST_LOG = 10;
  private static final int LARGEST_LOG = 26;
  private static final int MOST_BLOCKS = 16_384;
  private static final int TOUCHED_BYTES = 4096;

  private HonestWorkload() {}

  /** What plain malloc would be: the page source's own job handed to the C library. */
  private static final class Malloc extends PageSource {
    @Override
    long allocate(long bytes) {
      return Platform.allocateMemory(bytes);
    }

    @Override
    void free(long address, long bytes) {
      Platform.freeMemory(address);
    }
  }

  /** Arguments: source ({@code pages} or {@code malloc}), threads, rounds, seed. */
  public static void main(String[] arguments) throws Exception {
    PageSource pages = arguments[0].equals("malloc") ? new Malloc() : new PageSource();
    int threads = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    long seed = Long.parseLong(arguments[3]);
    try (Fixture fixture = new Fixture(SparkTask.conf(LIMIT_BYTES), pages)) {
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      // Classes, compiled code and the pool's threads are the process's own: they come before.
      run(fixture, pool, threads, 12, seed - 1, 32 * MIB);
      System.gc();
      long before = status("VmRSS");
      run(fixture, pool, threads, rounds, seed, LIMIT_BYTES);
      long peak = status("VmHWM");
      long after = status("VmRSS");
      pool.shutdown();
      System.out.printf(
          "honest ledgerPeak=%d peakGrowth=%d leftGrowth=%d used=%d spark=%d%n",
          fixture.executor.snapshot().peakBytes(),
          peak - before,
          after - before,
          fixture.executor.snapshot().usedBytes(),
          fixture.sparkBytes());
    }
  }

  private static void run(
      Fixture fixture, ExecutorService pool, int threads, int rounds, long seed, long limitBytes)
      throws Exception {
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Random random = new Random(seed * 31 + i);
      SparkTask task = fixture.task();
      ends.add(
          pool.submit(
              () -> {
                OperatorMemory scan =
                    fixture.executor.openTask(task.context()).operator("Scan", null);
                for (int round = 0; round < rounds; round++) {
                  round(scan, random, limitBytes / threads);
                }
                scan.close();
                task.complete();
                task.sparkCleansUp();
                fixture.executor.taskSucceeded();
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
  }

  private static void round(OperatorMemory scan, Random random, long limitBytes) {
    int logs = 1 + random.nextInt(LARGEST_LOG - SMALLEST_LOG);
    List<NativeBlock> blocks = new ArrayList<>();
    while (blocks.size() < MOST_BLOCKS) {
      long bytes = (long) (KIB * Math.pow(2, random.nextDouble() * logs));
      if (scan.usedBytes() + bytes > limitBytes) {
        break;
      }
      NativeBlock block = scan.tryAllocate(bytes);
      if (block == null) {
        break;
      }
      touch(block);
      blocks.add(block);
    }
    while (!blocks.isEmpty()) {
      int chosen = random.nextInt(blocks.size());
      NativeBlock last = blocks.remove(blocks.size() - 1);
      NativeBlock freed = chosen == blocks.size() ? last : blocks.set(chosen, last);
      freed.close();
    }
  }

  /** One byte a page is enough to make the page resident. */
  private static void touch(NativeBlock block) {
    for (long at = 0; at < block.size(); at += TOUCHED_BYTES) {
      Platform.putByte(null, block.address() + at, (byte) 1);
    }
    Platform.putByte(null, block.address() + block.size() - 1, (byte) 1);
  }

  private static long status(String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(field + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
      }
    }
    throw new IllegalStateException("/proc/self/status has no " + field);
  }
}
