package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.collection.unsafe.sort.PrefixComparators;
import org.apache.spark.util.collection.unsafe.sort.RecordComparator;
import org.apache.spark.util.collection.unsafe.sort.UnsafeExternalSorter;
import org.apache.spark.util.collection.unsafe.sort.UnsafeSorterIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Spark's own sorter and one of our operators in the same task, each wanting what the other has.
 */
@Timeout(120)
class SparkSorterTest {
  private static final int RECORD_BYTES = 128;
  private static final int RECORDS = 60_000;
  private static final int PAGES = 12 * 16;
  private static final long SEED = 7;
  private static JavaSparkContext spark;

  /** What happened in the task. */
  private record Outcome(
      long sorterSpilledBytes, int ourSpills, long ourBytes, long records, boolean inOrder)
      implements java.io.Serializable {}

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("sorter")
                .setMaster("local[1]")
                .set("spark.plugins", ScopePlugin.class.getName())
                .set("spark.memory.offHeap.enabled", "true")
                .set("spark.memory.offHeap.size", "16m")
                .set("spark.unsafe.exceptionOnMemoryLeak", "true"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static final class ByPrefixOnly extends RecordComparator {
    @Override
    public int compare(
        Object leftBase, long left, int leftBytes, Object rightBase, long right, int rightBytes) {
      return 0;
    }
  }

  private static UnsafeExternalSorter sorter(TaskContext context) {
    SparkEnv env = SparkEnv.get();
    return UnsafeExternalSorter.create(
        context.taskMemoryManager(),
        env.blockManager(),
        env.serializerManager(),
        context,
        ByPrefixOnly::new,
        PrefixComparators.LONG,
        1024,
        context.taskMemoryManager().pageSizeBytes(),
        Integer.MAX_VALUE,
        false);
  }

  private static void insert(UnsafeExternalSorter sorter) throws IOException {
    Random random = new Random(SEED);
    byte[] record = new byte[RECORD_BYTES];
    for (int i = 0; i < RECORDS; i++) {
      sorter.insertRecord(
          record, Platform.BYTE_ARRAY_OFFSET, RECORD_BYTES, random.nextLong(), false);
    }
  }

  /** Reads all records; halfway, ours grows. Spark's sorter spills for others only while read. */
  private static Outcome outcome(UnsafeExternalSorter sorter, PagedState ours, int growPages)
      throws IOException {
    long records = 0;
    boolean inOrder = true;
    long before = Long.MIN_VALUE;
    UnsafeSorterIterator sorted = sorter.getSortedIterator();
    while (sorted.hasNext()) {
      sorted.loadNext();
      inOrder &= sorted.getKeyPrefix() >= before;
      before = sorted.getKeyPrefix();
      records++;
      if (records == RECORDS / 2) {
        grow(ours, growPages);
      }
    }
    sorter.cleanupResources();
    long bytes = ours.memory().usedBytes();
    ours.memory().close();
    return new Outcome(sorter.getSpillSize(), ours.spills(), bytes, records, inOrder);
  }

  private static void grow(PagedState ours, int pages) {
    for (int i = 0; i < pages; i++) {
      ours.grow(64 * KIB);
    }
  }

  private static PagedState open() {
    TaskMemory task = ExecutorMemory.installed().orElseThrow().task(TaskContext.get());
    return new PagedState(() -> {}).open(task, "HashJoin");
  }

  private static Iterator<Outcome> oursAsks() throws IOException {
    PagedState ours = open();
    UnsafeExternalSorter sorter = sorter(TaskContext.get());
    insert(sorter);
    return List.of(outcome(sorter, ours, PAGES)).iterator();
  }

  private static Iterator<Outcome> sorterAsks() throws IOException {
    PagedState ours = open();
    grow(ours, PAGES);
    UnsafeExternalSorter sorter = sorter(TaskContext.get());
    insert(sorter);
    return List.of(outcome(sorter, ours, 0)).iterator();
  }

  @Test
  void shouldMakeSparksSorterSpillWhenOursAsksAndLoseNoRecord() {
    Outcome outcome =
        spark.parallelize(List.of(1), 1).mapPartitions(v -> oursAsks()).collect().get(0);

    assertThat(outcome.sorterSpilledBytes()).isPositive();
    assertThat(outcome.ourSpills()).isZero();
    assertThat(outcome.ourBytes()).isEqualTo(12 * MIB);
    assertThat(outcome.records()).isEqualTo(RECORDS);
    assertThat(outcome.inOrder()).isTrue();
    assertNothingLeft();
  }

  @Test
  void shouldSpillOursWhenSparksSorterAsks() {
    Outcome outcome =
        spark.parallelize(List.of(1), 1).mapPartitions(v -> sorterAsks()).collect().get(0);

    assertThat(outcome.ourSpills()).isPositive();
    assertThat(outcome.ourBytes()).isLessThan(12 * MIB);
    assertThat(outcome.records()).isEqualTo(RECORDS);
    assertThat(outcome.inOrder()).isTrue();
    assertNothingLeft();
  }

  private static void assertNothingLeft() {
    assertThat(ExecutorMemory.installed().orElseThrow().snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0L, MemorySnapshot::leakedBytes)
        .returns(0L, MemorySnapshot::reservedBytes);
    assertThat(SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed()).isZero();
  }
}
