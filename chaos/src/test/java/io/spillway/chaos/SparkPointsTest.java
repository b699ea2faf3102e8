package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The points in Spark's own classes, under a query of a real Spark that knows no Spillway. */
class SparkPointsTest {
  private static final long SEED = 7;
  private static final int GROUPS = 2_000;
  private static final int ROWS = 40_000;
  private static final Queue<String> FAILURES = new ConcurrentLinkedQueue<>();
  private static SparkSession spark;

  @TempDir Path out;

  @BeforeAll
  static void startSpark() {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    // Spark gives its task threads this loader.
    Thread.currentThread().setContextClassLoader(new WithoutSpillwayLoader(before));
    try {
      spark =
          SparkSession.builder()
              .master("local[2,4]")
              .appName("chaos-test")
              .config("spark.driver.host", "localhost")
              .config("spark.driver.bindAddress", "127.0.0.1")
              .config("spark.memory.offHeap.enabled", "true")
              .config("spark.memory.offHeap.size", "32m")
              .config("spark.sql.shuffle.partitions", "4")
              .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
              .getOrCreate();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    spark.sparkContext().addSparkListener(new FailedTasks(FAILURES));
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @ParameterizedTest(name = "{0} at {1} ends tasks with {2}")
  @CsvSource({
    "out-of-memory, memory.page, nothing",
    "'{delay: {millis: 20}}', memory.page, nothing",
    "'{delay: {millis: 20}}', memory.acquire, nothing",
    "error, shuffle.write, IOException",
    "error, shuffle.fetch, IOException",
    "'{delay: {millis: 20}}', shuffle.fetch, nothing",
    "fetch-failure, shuffle.fetch, FetchFailed",
    "damaged-block, shuffle.fetch, FetchFailed",
    "exception, task.start, RuntimeException",
    "kill, task.start, TaskKilled",
    "out-of-memory, task.start, SparkOutOfMemoryError",
    "exception, task.batch, RuntimeException",
    "kill, task.batch, TaskKilled",
    "out-of-memory, task.batch, SparkOutOfMemoryError",
    "'{delay: {millis: 20}}', task.batch, nothing",
    "exception, task.end, RuntimeException",
    "out-of-memory, task.end, SparkOutOfMemoryError",
    "'{delay: {millis: 20}}', task.end, nothing",
  })
  void shouldGiveTheRightResultWhenFirstAttemptsAreHit(String fault, String id, String end)
      throws Exception {
    FaultPoint point = FaultPoint.byId(id).orElseThrow();
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: " + id + ", fault: " + fault + ", when: {nth: 1}}");
    FAILURES.clear();
    assertThat(sums()).isEqualTo(expected());
    spark.sparkContext().listenerBus().waitUntilEmpty();
    assertThat(chaos.disarmed()).isEmpty();
    PointStatus status = chaos.point(point);
    assertThat(status.reason()).isEmpty();
    assertThat(status.instrumented()).isTrue();
    assertThat(status.fired()).isPositive();
    assertThat(chaos.heldAttempts()).isZero();
    if (end.equals("nothing")) {
      assertThat(FAILURES).isEmpty();
    } else if (end.equals("FetchFailed")) {
      // Tasks beside the one that was hit miss the map output that Spark makes again.
      assertThat(FAILURES)
          .hasSizeGreaterThanOrEqualTo((int) status.fired())
          .allMatch(failure -> failure.contains("FetchFailed"))
          .anyMatch(
              failure ->
                  failure.contains(
                      fault.equals("fetch-failure") ? "Block lost (injected" : "is corrupted"));
    } else {
      assertThat(FAILURES)
          .hasSize((int) status.fired())
          .allMatch(failure -> failure.contains(end) && failure.contains("injected"));
    }
  }

  @Test
  void shouldReachEachBodyOnceAtItsStartAndOnceAtItsEndWhenOneRuleIsForEach() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: task.start, fault: exception, when: {nth: 1}, where: {partition: 99}}",
            "{point: task.end, fault: exception, when: {nth: 1}, where: {partition: 99}}");
    assertThat(sums()).isEqualTo(expected());
    assertThat(chaos.point(FaultPoint.TASK_START).reached()).isPositive();
    assertThat(chaos.point(FaultPoint.TASK_END).reached())
        .isEqualTo(chaos.point(FaultPoint.TASK_START).reached());
    assertThat(chaos.rules()).extracting(RuleStatus::fired).containsExactly(0L, 0L);
  }

  @Test
  void shouldNotReachTheEndWhenTheBodyFails() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: task.start, fault: exception, when: {nth: 1}, where: {attempts: all}}",
            "{point: task.end, fault: exception, when: {nth: 1}}");
    assertThatThrownBy(SparkPointsTest::sums).hasMessageContaining("injected failure: task.start");
    assertThat(chaos.point(FaultPoint.TASK_END).reached()).isZero();
  }

  @Test
  void shouldDisarmAndLeaveTheJvmAliveWhenItIsTheDrivers() {
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: executor.exit, fault: halt, when: {nth: 1}}");
    assertThat(sums()).isEqualTo(expected());
    PointStatus status = chaos.point(FaultPoint.EXECUTOR_EXIT);
    assertThat(status.reason().orElseThrow()).startsWith("this JVM is the driver's");
    assertThat(status.fired()).isZero();
    assertThat(chaos.rules().get(0).fired()).isZero();
    assertThat(ChaosFixture.fired(chaos)).isEmpty();
  }

  private static List<Long> sums() {
    return spark
        .range(0, ROWS, 1, 4)
        .selectExpr("id % " + GROUPS + " as k", "id as v")
        .groupBy("k")
        .sum("v")
        .orderBy("k")
        .collectAsList()
        .stream()
        .map(row -> row.getLong(1))
        .toList();
  }

  private static List<Long> expected() {
    long[] sums = new long[GROUPS];
    LongStream.range(0, ROWS).forEach(id -> sums[(int) (id % GROUPS)] += id);
    return Arrays.stream(sums).boxed().toList();
  }
}
