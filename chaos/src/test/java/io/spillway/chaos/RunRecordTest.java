package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent writes down beside the faults: how attempts end and how the JVM fares. */
class RunRecordTest {
  private static final long LEAK_BYTES = 4096;

  @TempDir Path out;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldTellHowEachAttemptEndedWhenFaultsFire() {
    inLocalSpark(
        spark -> {
          ChaosController chaos =
              ChaosFixture.arm(
                  out,
                  7,
                  "{point: native.alloc, fault: out-of-memory, when: {nth: 2}, where: {partition:"
                      + " 1}}",
                  "{point: task.batch, fault: exception, when: {nth: 3}, where: {partition: 2}}");
          assertThat(SeamJob.ofBatches(4).run(spark, 4)).hasSize(4);
          assertThat(chaos.point(FaultPoint.NATIVE_ALLOC).fired()).isEqualTo(1);
          assertThat(chaos.point(FaultPoint.TASK_BATCH).fired()).isEqualTo(1);
        });

    List<JsonNode> attempts = attempts();
    assertThat(attempts).hasSize(3);
    JsonNode recovered = attempt(attempts, 1, 0);
    assertThat(recovered.get("result").asText()).isEqualTo("succeeded");
    assertThat(recovered.at("/faults/0/point").asText()).isEqualTo("native.alloc");
    assertThat(recovered.at("/faults/0/call").asLong()).isEqualTo(2);
    assertThat(recovered.at("/faults/0/recoveryMicros").asLong()).isPositive();
    JsonNode failed = attempt(attempts, 2, 0);
    assertThat(failed.get("result").asText()).isEqualTo("failed");
    assertThat(failed.get("fatal").asBoolean()).isFalse();
    assertThat(failed.get("failure").asText())
        .startsWith("java.lang.RuntimeException: injected failure: task.batch");
    JsonNode again = attempt(attempts, 2, 1);
    assertThat(again.get("result").asText()).isEqualTo("succeeded");
    assertThat(again.has("faults")).isFalse();
    assertThat(again.get("startedMillis").asLong())
        .isGreaterThanOrEqualTo(failed.get("startedMillis").asLong());

    JsonNode jvm = jvm();
    assertThat(jvm.get("attempts").asLong()).isEqualTo(5);
    assertThat(jvm.get("failedAttempts").asLong()).isEqualTo(1);
    assertThat(jvm.get("leakedBytes").asLong()).isZero();
    assertThat(jvm.get("executor").asText()).isEqualTo("driver");
    assertThat(jvm.get("ended").asText()).isGreaterThan(jvm.get("started").asText());
    assertThat(FaultPlan.parse("written", jvm.get("plan").asText()).seed()).isEqualTo(7);
  }

  @Test
  void shouldSetTheRecordOfAnEarlierPlanAsideWhenTheNextOneHasTheSameDirectory() {
    inLocalSpark(
        spark -> {
          ChaosFixture.arm(out, 7, "{point: task.batch, fault: exception, when: {nth: 1}}");
          assertThat(SeamJob.ofBatches(2).run(spark, 3)).hasSize(3);
          ChaosAgent.uninstall();
          ChaosFixture.arm(out, 8, "{point: task.start, fault: exception, when: {nth: 1}}");
          assertThat(SeamJob.ofBatches(2).run(spark, 1)).hasSize(1);
        });
    assertThat(ChaosFixture.fired(only("fired-", ".jsonl")))
        .singleElement()
        .satisfies(fault -> assertThat(fault.get("point").asText()).isEqualTo("task.start"));
    Path earlier = only("earlier-", "-1");
    assertThat(ChaosFixture.fired(in(earlier, "fired-", ".jsonl")))
        .hasSize(3)
        .allSatisfy(fault -> assertThat(fault.get("seed").asLong()).isEqualTo(7));
    assertThat(ChaosFixture.json(in(earlier, "points-", ".json")).get("seed").asLong())
        .isEqualTo(7);
  }

  @Test
  void shouldMeasureTheRecoveryUntilThePointPassesAgainWhenTheAttemptGoesOn() {
    inLocalSpark(
        spark -> {
          ChaosFixture.arm(
              out, 7, "{point: task.batch, fault: {delay: {millis: 300}}, when: {nth: 1}}");
          assertThat(SeamJob.ofBatches(2).run(spark, 1)).hasSize(1);
        });
    JsonNode fault = attempt(attempts(), 0, 0).at("/faults/0");
    assertThat(fault.get("recoveryMicros").asLong()).isBetween(300_000L, 20_000_000L);
  }

  @Test
  void shouldNameTheOwnerWhenAnAttemptThatSucceededLeavesMemory() {
    inLocalSpark(
        spark -> {
          ChaosFixture.arm(out, 7, "{point: task.batch, fault: exception, when: {nth: 99}}");
          assertThat(new Misdeed("leak").run(spark)).isEqualTo(1);
        });
    JsonNode leak = attempt(attempts(), 0, 0);
    assertThat(leak.get("result").asText()).isEqualTo("succeeded");
    assertThat(leak.get("leftBytes").asLong()).isEqualTo(LEAK_BYTES);
    assertThat(leak.get("owners"))
        .singleElement()
        .extracting(JsonNode::asText)
        .asString()
        .endsWith("RunRecordTest$Hoarder 4096 bytes");
    assertThat(jvm().get("leakedBytes").asLong()).isEqualTo(LEAK_BYTES);
  }

  @Test
  void shouldListSpillFilesWhenTheyLieThereAndNoTaskRuns() {
    inLocalSpark(
        spark -> {
          ChaosFixture.arm(out, 7, "{point: task.batch, fault: exception, when: {nth: 99}}");
          assertThat(new Misdeed("litter").run(spark)).isEqualTo(1);
          ChaosAgent.uninstall();
        });
    assertThat(jvm().get("spillFilesLeft").asInt()).isEqualTo(1);
    assertThat(jvm().at("/spillFiles/0").asText()).contains("temp_local_");
  }

  @Test
  void shouldSampleMemoryFromStartToEnd() throws IOException {
    inLocalSpark(
        spark -> {
          ChaosFixture.arm(
              out, 7, "{point: task.batch, fault: {delay: {millis: 900}}, when: {nth: 1}}");
          assertThat(SeamJob.ofBatches(1).run(spark, 1)).hasSize(1);
          Path file = only("memory-", ".jsonl");
          Awaitility.await("samples with Spark's pools")
              .atMost(Duration.ofMinutes(1))
              .until(() -> Files.readString(file).contains("offHeapExecutionBytes"));
          ChaosAgent.uninstall();
        });
    List<JsonNode> samples = ChaosFixture.fired(only("memory-", ".jsonl"));
    assertThat(samples).hasSizeGreaterThanOrEqualTo(3);
    assertThat(samples).extracting(sample -> sample.get("millis").asLong()).isSorted();
    assertThat(samples)
        .allSatisfy(
            sample -> {
              assertThat(sample.get("rssBytes").asLong()).isGreaterThan(1 << 20);
              assertThat(sample.get("heapBytes").asLong()).isPositive();
              assertThat(sample.get("directBytes").asLong()).isNotNegative();
            });
  }

  private interface Work {
    void with(SparkContext spark) throws Exception;
  }

  private static void inLocalSpark(Work work) {
    SparkContext spark = ChaosFixture.spark("local[2,4]");
    try {
      work.with(spark);
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      ChaosAgent.uninstall();
      spark.stop();
    }
  }

  private List<JsonNode> attempts() {
    return ChaosFixture.fired(only("attempts-", ".jsonl"));
  }

  private JsonNode jvm() {
    return ChaosFixture.json(only("jvm-", ".json"));
  }

  private Path only(String prefix, String suffix) {
    return in(out, prefix, suffix);
  }

  private static Path in(Path directory, String prefix, String suffix) {
    File[] found =
        directory
            .toFile()
            .listFiles((dir, name) -> name.startsWith(prefix) && name.endsWith(suffix));
    assertThat(found).hasSize(1);
    return found[0].toPath();
  }

  private static JsonNode attempt(List<JsonNode> attempts, int partition, int number) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode attempt : attempts) {
      if (attempt.get("partition").asInt() == partition
          && attempt.get("attempt").asInt() == number) {
        found.add(attempt);
      }
    }
    assertThat(found).as("attempt %d of partition %d", number, partition).hasSize(1);
    return found.get(0);
  }

  /** A task that does one thing that a task should not. */
  private record Misdeed(String what) implements Serializable {
    long run(SparkContext spark) {
      return JavaSparkContext.fromSparkContext(spark)
          .parallelize(List.of(1), 1)
          .mapPartitions(this::task)
          .count();
    }

    private Iterator<Integer> task(Iterator<Integer> rows) throws IOException {
      TaskMemoryManager memory = TaskContext.get().taskMemoryManager();
      switch (what) {
        case "leak" -> assertThat(new Hoarder(memory).acquireMemory(LEAK_BYTES)).isPositive();
        case "litter" ->
            Files.writeString(
                SparkEnv.get()
                    .blockManager()
                    .diskBlockManager()
                    .createTempLocalBlock()
                    ._2()
                    .toPath(),
                "left");
        default -> throw new IllegalArgumentException(what);
      }
      return rows;
    }
  }

  private static final class Hoarder extends MemoryConsumer {
    Hoarder(TaskMemoryManager memory) {
      super(memory, memory.pageSizeBytes(), MemoryMode.ON_HEAP);
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
      return 0;
    }
  }
}
