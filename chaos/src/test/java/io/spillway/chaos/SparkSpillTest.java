package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The spill points in Spark's own sorters, which are made to spill each 2,000 rows. */
class SparkSpillTest {
  private static final long SEED = 7;
  private static final int ROWS = 20_000;
  private static final Queue<String> FAILURES = new ConcurrentLinkedQueue<>();
  @TempDir static Path local;
  private static SparkSession spark;

  @TempDir Path out;

  @BeforeAll
  static void startSpark() {
    spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("chaos-test")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.local.dir", local.toString())
            .config("spark.shuffle.spill.numElementsForceSpillThreshold", "2000")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
            .getOrCreate();
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

  @ParameterizedTest(name = "{0} at call {2} of {1} ends tasks with {3}")
  @CsvSource({
    // Spark takes a disk that fails while it spills for a lack of memory.
    "disk-full, spill.open, 2, SparkOutOfMemoryError|No space left on device",
    "error, spill.write, 3000, SparkOutOfMemoryError|Input/output error",
    "disk-full, spill.flush, 1, SparkOutOfMemoryError|No space left on device",
    "error, spill.read, 1, IOException",
    "error, spill.read, 3000, IOException",
    "interrupt, spill.read, 1, InterruptedIOException",
    "interrupt, spill.write, 1, ClosedByInterruptException",
    "error, spill.close, 1, RuntimeException",
    "'{delay: {millis: 20}}', spill.open, 1, nothing",
    "'{delay: {millis: 20}}', spill.write, 1, nothing",
    "'{delay: {millis: 20}}', spill.flush, 1, nothing",
    "'{delay: {millis: 20}}', spill.read, 1, nothing",
    "'{delay: {millis: 20}}', spill.close, 1, nothing",
  })
  void shouldGiveTheRightResultWhenFirstAttemptsSpillInVain(
      String fault, String id, int call, String ends) throws Exception {
    FaultPoint point = FaultPoint.byId(id).orElseThrow();
    String rule =
        "{point: %s, fault: %s, when: {nth: %d}, where: {partition: 0}, limits: {total: 1}}"
            .formatted(id, fault, call);
    ChaosController chaos = ChaosFixture.arm(out, SEED, rule);
    FAILURES.clear();
    assertThat(sorted()).isEqualTo(expected());
    spark.sparkContext().listenerBus().waitUntilEmpty();
    assertThat(chaos.disarmed()).isEmpty();
    PointStatus status = chaos.point(point);
    assertThat(status.reason()).isEmpty();
    assertThat(status.fired()).isEqualTo(1);
    List<String> allowed = List.of(ends.split("\\|", -1));
    if (FAILURES.isEmpty()) {
      assertThat(allowed).contains("nothing");
    } else {
      assertThat(FAILURES)
          .hasSize(1)
          .allMatch(failure -> allowed.stream().anyMatch(failure::contains));
    }
    assertThat(spillFiles()).isEmpty();
    assertThat(chaos.heldAttempts()).isZero();
  }

  @Test
  void shouldLeaveSparksFilesAloneWhenTheFaultIsForSpillwaysAlone() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: spill.write, fault: short-write, when: {from: 1}}",
            "{point: spill.read, fault: truncated-read, when: {from: 1}}");
    assertThat(sorted()).isEqualTo(expected());
    assertThat(chaos.point(FaultPoint.SPILL_WRITE).reached()).isPositive();
    assertThat(chaos.point(FaultPoint.SPILL_READ).reached()).isPositive();
    assertThat(chaos.rules()).extracting(RuleStatus::fired).containsExactly(0L, 0L);
  }

  private static List<String> spillFiles() throws IOException {
    try (Stream<Path> files = Files.walk(local)) {
      return files.map(Path::toString).filter(name -> name.contains("temp_local_")).toList();
    }
  }

  private static List<Long> sorted() {
    return spark
        .range(0, ROWS, 1, 2)
        .selectExpr("id", "hash(id) as h")
        .repartition(2)
        .sortWithinPartitions("h", "id")
        .selectExpr("id")
        .collectAsList()
        .stream()
        .map(row -> row.getLong(0))
        .sorted()
        .toList();
  }

  private static List<Long> expected() {
    return IntStream.range(0, ROWS).mapToObj(Long::valueOf).toList();
  }
}
