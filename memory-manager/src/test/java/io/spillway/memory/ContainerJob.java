package io.spillway.memory;

import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.unsafe.Platform;

/**
 * A Spark job in a JVM of its own, whose tasks hold state in native pages and add it all up at the
 * end. Spark's off-heap memory is large enough for all of it: whatever stops it from growing is not
 * Spark.
 */
public final class ContainerJob {
  static final String DONE = "DONE";
  static final int TASKS = 2;
  private static final int PAGE_BYTES = 64 * 1024;

  /** Sums over all values, the second one sensitive to their places. */
  record Sums(long values, long places) {
    Sums plus(Sums other) {
      return new Sums(values + other.values, places + other.places);
    }

    Sums with(long value, long place) {
      return new Sums(values + value, places + value * (2 * place + 1));
    }
  }

  private ContainerJob() {}

  /** Arguments: whether the guard is on, pages of each task, a directory for spill files. */
  public static void main(String[] args) {
    int pages = Integer.parseInt(args[1]);
    SparkConf conf =
        new SparkConf()
            .setAppName("container")
            .setMaster("local[" + TASKS + "]")
            .set("spark.plugins", ScopePlugin.class.getName())
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", "4g")
            .set("spark.local.dir", args[2])
            .set("spark.ui.enabled", "false")
            // Spark refuses heaps as small as this one's, but for its own tests.
            .set("spark.testing.memory", "100000000")
            .set("spark.testing.reservedMemory", "1000000")
            .set(MemorySettings.GUARD_ENABLED, args[0]);
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      List<Integer> partitions = new ArrayList<>();
      for (int partition = 0; partition < TASKS; partition++) {
        partitions.add(partition);
      }
      List<long[]> results =
          spark.parallelize(partitions, TASKS).map(partition -> run(partition, pages)).collect();
      Sums sums = new Sums(0, 0);
      long spilledBytes = 0;
      for (long[] result : results) {
        sums = sums.plus(new Sums(result[0], result[1]));
        spilledBytes += result[2];
      }
      ExecutorMemory executor = ExecutorMemory.installed().orElseThrow();
      System.out.println(
          String.join(
              " ",
              DONE,
              Long.toString(sums.values()),
              Long.toString(sums.places()),
              Long.toString(spilledBytes),
              Long.toString(executor.snapshot().peakBytes()),
              Long.toString(executor.snapshot().usedBytes()),
              Long.toString(executor.guardStatus().episodes())));
    }
  }

  /** The same sums without any state. */
  static Sums expected(int pages) {
    Sums sums = new Sums(0, 0);
    for (int partition = 0; partition < TASKS; partition++) {
      for (long page = 0; page < pages; page++) {
        for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
          sums = sums.with(value(partition, page, at), page * PAGE_BYTES + at);
        }
      }
    }
    return sums;
  }

  static long stateBytes(int pages) {
    return (long) TASKS * pages * PAGE_BYTES;
  }

  private static long value(int partition, long page, int at) {
    long mixed =
        (partition + 1) * 0x9E3779B97F4A7C15L ^ (page * PAGE_BYTES + at) * 0xD1B54A32D192ED03L;
    return (mixed ^ mixed >>> 29) & 0xFFFF;
  }

  private static long[] run(int partition, int pages) {
    try (Pages state = new Pages(TaskContext.get())) {
      for (long page = 0; page < pages; page++) {
        state.add(partition, page);
      }
      Sums sums = state.sum();
      return new long[] {sums.values(), sums.places(), state.memory.spilledBytes()};
    }
  }

  /** Pages in the order in which they came; the oldest are spilled first. */
  private static final class Pages implements Spillable, AutoCloseable {
    private final OperatorMemory memory;
    private final Deque<NativeBlock> live = new ArrayDeque<>();
    private final List<SpillSegment> spilled = new ArrayList<>();
    private SpillFile file;

    Pages(TaskContext context) {
      memory = ExecutorMemory.installed().orElseThrow().task(context).operator("Pages", this);
    }

    void add(int partition, long page) {
      memory.batchBoundary();
      NativeBlock block = memory.allocate(PAGE_BYTES);
      for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
        Platform.putLong(null, block.address() + at, value(partition, page, at));
      }
      live.add(block);
    }

    @Override
    public long spill(long bytes) {
      if (live.isEmpty()) {
        return 0;
      }
      if (file == null) {
        file = memory.createSpillFile();
      }
      long freed = 0;
      try (SegmentWriter writer = file.newSegment()) {
        while (freed < bytes && !live.isEmpty()) {
          NativeBlock block = live.remove();
          writer.write(block.address(), PAGE_BYTES, PAGE_BYTES, PAGE_BYTES);
          freed += block.size();
          block.close();
        }
        spilled.add(writer.finish());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return freed;
    }

    /** Segment by segment, through one page that is read into, then what was never spilled. */
    Sums sum() {
      return memory.withoutSpilling(
          () -> {
            Sums sums = new Sums(0, 0);
            long place = 0;
            try (NativeBlock page = spilled.isEmpty() ? null : memory.allocate(PAGE_BYTES)) {
              for (SpillSegment segment : spilled) {
                try (SegmentReader reader = file.read(segment)) {
                  while (reader.nextCapacity() > 0) {
                    reader.readInto(page.address());
                    sums = page(sums, page.address(), place);
                    place += PAGE_BYTES;
                  }
                }
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            for (NativeBlock block : live) {
              sums = page(sums, block.address(), place);
              place += PAGE_BYTES;
            }
            return sums;
          });
    }

    private static Sums page(Sums before, long address, long place) {
      Sums sums = before;
      for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
        sums = sums.with(Platform.getLong(null, address + at), place + at);
      }
      return sums;
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
