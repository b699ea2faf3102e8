package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short grants inside Spark's own memory manager, under plain Spark jobs. */
class MemoryAcquireTest {
  private static final long SEED = 7;
  private static final int GROUPS = 20_000;
  private static final int ROWS = 200_000;

  @TempDir Path out;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldGiveTheRightResultWhenGrantsAreShort() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: memory.acquire, fault: {short-grant: {share: 0.5}}, when: {from: 1}, limits:"
                + " {perTask: 3}}");
    try (SparkSession spark = session("local[2,4]")) {
      assertThat(sums(spark)).isEqualTo(expected());
    }
    PointStatus point = chaos.point(FaultPoint.MEMORY_ACQUIRE);
    assertThat(point.instrumented()).isTrue();
    assertThat(point.fired()).isPositive();
    assertThat(point.reached()).isGreaterThan(point.fired());
    assertThat(chaos.heldAttempts()).isZero();
    assertThat(ChaosFixture.fired(chaos))
        .allMatch(line -> line.get("fault").asText().equals("short-grant(share=0.5)"))
        .noneMatch(line -> line.get("operator").asText().contains("@"));
  }

  @Test
  void shouldGiveTheRightResultWhenGrantsAreRefused() throws Exception {
    ChaosController chaos =
        ChaosFixture.arm(
            out, SEED, "{point: memory.acquire, fault: {short-grant: {share: 0}}, when: {nth: 2}}");
    try (SparkSession spark = session("local[2,4]")) {
      assertThat(sums(spark)).isEqualTo(expected());
    }
    assertThat(chaos.point(FaultPoint.MEMORY_ACQUIRE).fired()).isPositive();
    assertThat(ClassBytes.of(TaskMemoryManager.class)).contains("io/spillway/chaos");
    ChaosAgent.uninstall();
    assertThat(ClassBytes.of(TaskMemoryManager.class)).doesNotContain("io/spillway/chaos");
  }

  @Test
  void shouldFireTheSameSetTwiceWhenOneTaskRunsAtATime() {
    Set<String> first = firedKeys(out.resolve("1"), SEED);
    assertThat(first).hasSizeGreaterThan(3);
    assertThat(firedKeys(out.resolve("2"), SEED)).isEqualTo(first);
    assertThat(firedKeys(out.resolve("3"), SEED + 1)).isNotEqualTo(first);
  }

  private static Set<String> firedKeys(Path out, long seed) {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            seed,
            "{point: memory.acquire, fault: {short-grant: {share: 0.5}}, when: {probability: 0.2},"
                + " limits: {perTask: 2}}");
    try (SparkSession spark = session("local[1,4]")) {
      spark.sparkContext().setLocalProperty("spillway.chaos.label", "sums");
      assertThat(sums(spark)).isEqualTo(expected());
    }
    ChaosAgent.uninstall();
    List<JsonNode> fired = ChaosFixture.fired(chaos);
    assertThat(fired).allMatch(line -> line.get("label").asText().equals("sums"));
    return ChaosFixture.keys(fired);
  }

  private static List<Long> sums(SparkSession spark) {
    return spark
        .range(0, ROWS, 1, 4)
        .selectExpr("id % " + GROUPS + " as k", "id as v")
        .groupBy("k")
        .sum("v")
        .orderBy("k")
        .collectAsList()
        .stream()
        .map((Row row) -> row.getLong(1))
        .toList();
  }

  private static List<Long> expected() {
    long[] sums = new long[GROUPS];
    for (int id = 0; id < ROWS; id++) {
      sums[id % GROUPS] += id;
    }
    return Arrays.stream(sums).boxed().toList();
  }

  private static SparkSession session(String master) {
    return SparkSession.builder()
        .master(master)
        .appName("chaos-test")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.memory.offHeap.enabled", "true")
        .config("spark.memory.offHeap.size", "16m")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
        .getOrCreate();
  }
}
