package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole jobs of Spark, with its own scheduler, executor and clean-up, over the memory manager. */
@Timeout(120)
class SparkJobTest {
  private static final int PARTITIONS = 4;
  private static final int PAGE_BYTES = SpilledPages.PAGE_BYTES;
  private static final AtomicBoolean HOLDING = new AtomicBoolean();
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("memory-manager")
                .setMaster("local[2,4]")
                .set("spark.plugins", ScopePlugin.class.getName())
                .set("spark.memory.offHeap.enabled", "true")
                .set("spark.memory.offHeap.size", "4m")
                .set("spark.io.encryption.enabled", "true")
                .set("spark.unsafe.exceptionOnMemoryLeak", "true"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
    assertThat(ExecutorMemory.installed()).isEmpty();
  }

  @BeforeEach
  void forget() {
    ScopePlugin.SUCCEEDED.clear();
    ScopePlugin.FAILED.clear();
    HOLDING.set(false);
  }

  private static Iterator<Long> sums(Iterator<Integer> values, boolean firstFails)
      throws IOException {
    SpilledPages pages = new SpilledPages();
    long rows = 0;
    while (values.hasNext()) {
      pages.add(values.next());
      if (++rows == 90 && firstFails && TaskContext.get().attemptNumber() == 0) {
        throw new IllegalStateException("first attempt, says the test");
      }
    }
    return List.of(pages.sum()).iterator();
  }

  private static List<Integer> numbers() {
    return IntStream.range(0, 100 * PARTITIONS).boxed().toList();
  }

  private static void assertNothingLeft() {
    MemorySnapshot snapshot = ExecutorMemory.installed().orElseThrow().snapshot();
    assertThat(snapshot.usedBytes()).isZero();
    assertThat(snapshot.blocks()).isZero();
    assertThat(snapshot.reservedBytes()).isZero();
    assertThat(snapshot.leakedBytes()).isZero();
    assertThat(snapshot.openTasks()).isZero();
    assertThat(snapshot.owners()).isEmpty();
    assertThat(SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed()).isZero();
    assertThat(SparkEnv.get().blockManager().diskBlockManager().getAllBlocks().mkString(" "))
        .doesNotContain("temp_local");
    assertThat(openSpillFiles()).isZero();
  }

  /** Descriptors of this process that lead to spill files. */
  private static long openSpillFiles() {
    File[] descriptors = new File("/proc/self/fd").listFiles();
    return Arrays.stream(descriptors).filter(SparkJobTest::leadsToASpillFile).count();
  }

  private static boolean leadsToASpillFile(File descriptor) {
    try {
      return Files.readSymbolicLink(descriptor.toPath()).toString().contains("temp_local");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Test
  void shouldSpillAndEndRightWhenStateDoesNotFit() {
    List<Long> sums =
        spark.parallelize(numbers(), PARTITIONS).mapPartitions(v -> sums(v, false)).collect();

    assertThat(sums.stream().mapToLong(Long::longValue).sum()).isEqualTo(400L * 399 / 2);
    await("the plugin hears of every task")
        .untilAsserted(() -> assertThat(ScopePlugin.SUCCEEDED).hasSize(PARTITIONS));
    assertThat(ScopePlugin.SUCCEEDED)
        .allSatisfy(
            report -> {
              assertThat(report.leakedBytes()).isZero();
              assertThat(report.spilledBytes()).isGreaterThanOrEqualTo(100 * PAGE_BYTES);
              assertThat(report.peakBytes()).isBetween((long) PAGE_BYTES, 4L << 20);
            });
    assertNothingLeft();
  }

  @Test
  void shouldReclaimAndSucceedInTheNextAttemptWhenFirstAttemptsFail() {
    List<Long> sums =
        spark.parallelize(numbers(), PARTITIONS).mapPartitions(v -> sums(v, true)).collect();

    assertThat(sums.stream().mapToLong(Long::longValue).sum()).isEqualTo(400L * 399 / 2);
    await("the plugin hears of every task")
        .untilAsserted(() -> assertThat(ScopePlugin.SUCCEEDED).hasSize(PARTITIONS));
    assertThat(ScopePlugin.FAILED)
        .hasSize(PARTITIONS)
        .allSatisfy(
            report -> {
              assertThat(report.reclaimedBytes()).isPositive();
              assertThat(report.owners()).singleElement().returns("Pages", BlockOwner::operator);
            });
    assertNothingLeft();
  }

  @Test
  void shouldLeaveNothingWhenTheJobIsCancelledInTheMiddle() {
    spark.setJobGroup("doomed", "to be cancelled", false);
    JavaFutureAction<List<Long>> job =
        spark
            .parallelize(numbers(), PARTITIONS)
            .mapPartitions(
                values -> {
                  SpilledPages pages = new SpilledPages();
                  for (int i = 0; i < 70; i++) {
                    pages.add(i);
                  }
                  HOLDING.set(true);
                  while (true) {
                    pages.memory().batchBoundary();
                    Thread.onSpinWait();
                  }
                })
            .map(value -> 0L)
            .collectAsync();
    await("a task holds memory and a spill file").untilTrue(HOLDING);
    assertThat(ExecutorMemory.installed().orElseThrow().snapshot().usedBytes()).isPositive();

    spark.cancelJobGroup("doomed");

    assertThatThrownBy(job::get).hasStackTraceContaining("cancelled");
    spark.clearJobGroup();
    await("killed tasks are gone")
        .untilAsserted(
            () ->
                assertThat(ExecutorMemory.installed().orElseThrow().snapshot().openTasks())
                    .isZero());
    await("the plugin hears of the killed").until(() -> !ScopePlugin.FAILED.isEmpty());
    assertNothingLeft();
  }

  @Test
  void shouldLeaveNothingOnDiskWhenItIsInterruptedInTheMiddleOfASpill() {
    spark.setJobGroup("interrupted", "to be interrupted", true);
    JavaFutureAction<List<Long>> job =
        spark
            .parallelize(numbers(), PARTITIONS)
            .mapPartitions(
                values -> {
                  SpilledPages pages = new SpilledPages();
                  while (true) {
                    // No batch boundary: only the interrupt ends it, and it comes while it writes.
                    pages.addWithoutABoundary(1);
                    pages.spill(Long.MAX_VALUE);
                    HOLDING.set(true);
                  }
                })
            .map(value -> 0L)
            .collectAsync();
    await("a task spills").untilTrue(HOLDING);

    spark.cancelJobGroup("interrupted");

    assertThatThrownBy(job::get).hasStackTraceContaining("cancelled");
    spark.clearJobGroup();
    await("killed tasks are gone")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(ExecutorMemory.installed().orElseThrow().snapshot().openTasks())
                    .isZero());
    await("the plugin hears of the killed").until(() -> !ScopePlugin.FAILED.isEmpty());
    assertNothingLeft();
  }

  @Test
  void shouldFailTheTaskOnlyWhenOneAllocationIsTooLarge() {
    assertThatThrownBy(
            () ->
                spark
                    .parallelize(Collections.nCopies(2, 1), 2)
                    .mapPartitions(
                        values -> {
                          new SpilledPages().memory().allocate(64 << 20);
                          return values;
                        })
                    .count())
        .hasStackTraceContaining("67108864 bytes asked for")
        .hasStackTraceContaining("spark.memory.offHeap.size=4194304");

    await("the plugin hears of the failed").until(() -> ScopePlugin.FAILED.size() >= 4);
    assertThat(spark.parallelize(List.of(1, 2, 3), 2).count()).as("the JVM goes on").isEqualTo(3);
    await("scopes are closed")
        .untilAsserted(
            () ->
                assertThat(ExecutorMemory.installed().orElseThrow().snapshot().openTasks())
                    .isZero());
    assertNothingLeft();
  }
}
