package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.chaos.SeamJob.TaskResult;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.PageSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The points over stand-in seams, in real tasks of a local Spark with two threads. */
class SeamInjectionTest {
  private static final long SEED = 7;
  private static SparkContext spark;

  @TempDir Path out;

  @BeforeAll
  static void startSpark() {
    spark = ChaosFixture.spark("local[2,4]");
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
    spark.setLocalProperty("spillway.chaos.label", null);
    spark.setLocalProperty("spillway.chaos.stageBase", null);
    spark.setLocalProperty("callSite.short", null);
  }

  @Test
  void shouldFailTheFirstAttemptAndLetTheRetryPassWhenABatchThrows() {
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: task.batch, fault: exception, when: {nth: 3}}");
    List<TaskResult> results = SeamJob.ofBatches(5).run(spark, 4);
    assertThat(results).extracting(TaskResult::attempt).containsExactly(1, 1, 1, 1);
    PointStatus point = chaos.point(FaultPoint.TASK_BATCH);
    assertThat(point.instrumented()).isTrue();
    assertThat(point.fired()).isEqualTo(4);
    // Three calls in each failed attempt, five in each retry.
    assertThat(point.reached()).isEqualTo(4 * (3 + 5));
    assertThat(chaos.rules().get(0).fired()).isEqualTo(4);
    assertThat(chaos.point(FaultPoint.SPILL_WRITE).armed()).isFalse();
  }

  @Test
  void shouldNamePointKeyAndRuleWhenTheJobFails() {
    spark.setLocalProperty("spillway.chaos.label", "dashboard");
    ChaosFixture.arm(
        out,
        SEED,
        "{point: task.batch, fault: exception, when: {nth: 2}, where: {attempts: all, partition:"
            + " 1}}");
    assertThatExceptionOfType(SparkException.class)
        .isThrownBy(() -> SeamJob.ofBatches(3).run(spark, 2))
        .withMessageContaining("io.spillway.chaos.ChaosException: injected failure: task.batch,")
        .withMessageContaining("call 2, label 'dashboard', stage ")
        .withMessageContaining("partition 1, attempt 3, rule 1, seed 7");
  }

  @Test
  void shouldDenyTheNthBlockWhenNativeMemoryIsOut() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: native.alloc, fault: out-of-memory, when: {nth: 3}, where: {partition: 1}}");
    List<TaskResult> results = SeamJob.ofBatches(5).run(spark, 3);
    assertThat(results).extracting(TaskResult::denied).containsExactly(0, 1, 0);
    assertThat(results).extracting(TaskResult::attempt).containsExactly(0, 0, 0);
    assertThat(chaos.point(FaultPoint.NATIVE_ALLOC).reached()).isEqualTo(15);
  }

  @Test
  void shouldFailTheWriteWhenTheDiskIsFull() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: spill.write, fault: disk-full, when: {from: 1}, where: {attempts: all}}");
    assertThatExceptionOfType(SparkException.class)
        .isThrownBy(() -> SeamJob.ofBatches(1).run(spark, 1))
        .withMessageContaining(
            "java.io.IOException: No space left on device (injected: spill.write, call 1,");
    assertThat(chaos.point(FaultPoint.SPILL_WRITE).fired()).isEqualTo(4);
  }

  @Test
  void shouldWriteEveryFieldWhenAFaultFires() {
    spark.setLocalProperty("spillway.chaos.label", "q\"1");
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: task.batch, fault: exception, when: {nth: 2}, where: {partition: 0, operator:"
                + " 'HashAggregate(*)'}}",
            "{point: task.batch, fault: exception, when: {nth: 1}, where: {operator: Sort}}");
    List<TaskResult> results = SeamJob.ofBatches(2).run(spark, 2);
    assertThat(ChaosFixture.fired(chaos)).hasSize(1);
    JsonNode line = ChaosFixture.fired(chaos).get(0);
    assertThat(line.get("seed").asLong()).isEqualTo(SEED);
    assertThat(line.get("label").asText()).isEqualTo("q\"1");
    assertThat(line.get("stage").asInt()).isEqualTo(results.get(0).stageId());
    assertThat(line.get("stageId").asInt()).isEqualTo(results.get(0).stageId());
    assertThat(line.get("stageAttempt").asInt()).isZero();
    assertThat(line.get("partition").asInt()).isZero();
    assertThat(line.get("attempt").asInt()).isZero();
    assertThat(line.get("taskAttemptId").asLong()).isNotNegative();
    assertThat(line.get("point").asText()).isEqualTo("task.batch");
    assertThat(line.get("call").asInt()).isEqualTo(2);
    assertThat(line.get("rule").asInt()).isEqualTo(1);
    assertThat(line.get("fault").asText()).isEqualTo("exception");
    assertThat(line.get("operator").asText()).isEqualTo("HashAggregate(partial)");
    assertThat(line.get("executor").asText()).isEqualTo("driver");
    assertThat(line.get("thread").asText()).contains("Executor task launch worker");
    assertThat(line.get("time").asText()).matches("20\\d\\d-.*Z");

    JsonNode points = ChaosFixture.json(chaos.pointsFile());
    assertThat(points.get("seed").asLong()).isEqualTo(SEED);
    assertThat(points.get("executor").asText()).isEqualTo("driver");
    assertThat(points.get("points")).hasSize(FaultPoint.values().length);
    assertThat(ChaosFixture.point(points, "task.batch").toString())
        .startsWith("{\"name\":\"task.batch\",\"armed\":true,\"instrumented\":true,\"reached\":");
    assertThat(points.get("rules").get(0).get("fired").asInt()).isEqualTo(1);
    assertThat(points.get("rules").get(1).get("fired").asInt()).isZero();
  }

  @Test
  void shouldBringTheReachedCountsToTheFileWhenNothingFires() {
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: task.batch, fault: exception, when: {nth: 100}}");
    SeamJob.ofBatches(5).run(spark, 2);
    Awaitility.await("reached counts in the points file")
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(
                        ChaosFixture.point(ChaosFixture.json(chaos.pointsFile()), "task.batch")
                            .get("reached")
                            .asInt())
                    .isEqualTo(10));
    assertThat(chaos.firedFile()).isEmptyFile();
  }

  @Test
  void shouldFireTheSameSetTwiceWhenStagesAreCountedFromTheQuery() {
    String rule = "{point: task.batch, fault: exception, when: {probability: 0.1}}";
    Set<String> first = fireOnce(out.resolve("1"), rule);
    Set<String> second = fireOnce(out.resolve("2"), rule);
    assertThat(second).isEqualTo(first);
    assertThat(first).hasSizeBetween(2, 8).allMatch(key -> key.startsWith("q/0/"));
  }

  private static Set<String> fireOnce(Path out, String rule) {
    // A probe, because stage ids go on counting within the context.
    int last = SeamJob.ofBatches(0).run(spark, 1).get(0).stageId();
    spark.setLocalProperty("spillway.chaos.label", "q");
    spark.setLocalProperty("spillway.chaos.stageBase", String.valueOf(last + 1));
    ChaosController chaos = ChaosFixture.arm(out, SEED, rule);
    SeamJob.ofBatches(10).run(spark, 8);
    ChaosAgent.uninstall();
    spark.setLocalProperty("spillway.chaos.stageBase", null);
    return ChaosFixture.keys(ChaosFixture.fired(chaos));
  }

  @Test
  void shouldTakeTheCallSiteWhenTheQueryHasNoLabel() {
    spark.setCallSite("load orders");
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: task.batch, fault: exception, when: {nth: 1}, where: {label: 'load *'}}");
    SeamJob.ofBatches(1).run(spark, 1);
    spark.clearCallSite();
    assertThat(ChaosFixture.fired(chaos).get(0).get("label").asText()).isEqualTo("load orders");
  }

  @Test
  void shouldHoldNoAttemptWhenAllTasksHaveEnded() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: native.alloc, fault: out-of-memory, when: {from: 1}}",
            "{point: task.batch, fault: exception, when: {nth: 2}}");
    SeamJob.withAllocatingCleanUp(3).run(spark, 8);
    assertThat(chaos.heldAttempts()).isZero();
    // The clean-up's own call came when the attempt had ended: it is counted and never fails.
    assertThat(chaos.rules()).extracting(RuleStatus::fired).containsExactly(8L, 8L);
    assertThat(chaos.point(FaultPoint.NATIVE_ALLOC).reached()).isEqualTo(8 * (1 + 1 + 3 + 1));
  }

  @Test
  void shouldPassOutsideAnyTaskUnlessARuleAsksForIt() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: native.alloc, fault: out-of-memory, when: {from: 1}}",
            "{point: task.batch, fault: exception, when: {nth: 2}, where: {outsideTask: true}}");
    assertThat(new PageSource().allocate(1)).isEqualTo(2);
    OperatorMemory operator = new OperatorMemory("Sort");
    operator.batchBoundary();
    assertThatThrownBy(operator::batchBoundary)
        .isInstanceOf(ChaosException.class)
        .hasMessageContaining("outside any task");
    operator.batchBoundary();
    assertThat(operator.batches()).isEqualTo(2);
    assertThat(SeamJob.ofBatches(3).run(spark, 1).get(0).attempt()).isZero();
    assertThat(ChaosFixture.fired(chaos)).hasSize(2);
  }

  @ParameterizedTest(name = "{0} fires: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{application: 'chaos-t*'}|true",
        "{application: 'local-*'}|true",
        "{application: other}|false",
        "{executor: driver}|true",
        "{executor: 1}|false",
        "{host: localhost, executor: '*', application: chaos-test}|true",
        "{host: elsewhere}|false",
      })
  void shouldFireOnlyInTheJvmsThatTheRuleNames(String where, boolean fires) {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: task.batch, fault: exception, when: {nth: 1}, where: " + where + "}");
    assertThat(SeamJob.ofBatches(2).run(spark, 4))
        .allMatch(result -> result.attempt() == (fires ? 1 : 0));
    assertThat(chaos.disarmed()).isEmpty();
    assertThat(chaos.point(FaultPoint.TASK_BATCH).fired()).isEqualTo(fires ? 4 : 0);
  }

  @Test
  void shouldStopAtTheTotalWhenMoreCallsArePicked() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: native.alloc, fault: out-of-memory, when: {from: 1}, limits: {perTask: 2,"
                + " total: 5}}");
    List<TaskResult> results = SeamJob.ofBatches(4).run(spark, 4);
    assertThat(results.stream().mapToInt(TaskResult::denied).sum()).isEqualTo(5);
    assertThat(results).allMatch(result -> result.denied() <= 2);
    assertThat(chaos.rules().get(0).limited()).isEqualTo(16 - 5);
  }

  @Test
  void shouldFireNothingWhileTheKillSwitchFileExists() throws Exception {
    Path killSwitch = Files.createFile(out.resolve("stop"));
    FaultPlan plan =
        FaultPlan.parse(
            "test",
            """
            version: 1
            killSwitch: "%s"
            rules:
              - {point: native.alloc, fault: out-of-memory, when: {from: 1}}
            """
                .formatted(killSwitch));
    ChaosController chaos = ChaosAgent.arm(plan, out, ByteBuddyAgent.install());
    assertThat(SeamJob.ofBatches(2).run(spark, 1).get(0).denied()).isZero();
    assertThat(chaos.point(FaultPoint.NATIVE_ALLOC).reached()).isEqualTo(2);
    Files.delete(killSwitch);
    assertThat(SeamJob.ofBatches(2).run(spark, 1).get(0).denied()).isEqualTo(1);
  }

  @Test
  void shouldCountAndPassWhenItIsADryRun() {
    FaultPlan plan =
        FaultPlan.parse(
            "test",
            """
            version: 1
            dryRun: true
            rules:
              - {point: native.alloc, fault: out-of-memory, when: {nth: 2}}
              - {point: task.batch, fault: exception, when: {from: 1}, limits: {perTask: 2}}
            """);
    ChaosController chaos = ChaosAgent.arm(plan, out, ByteBuddyAgent.install());
    List<TaskResult> results = SeamJob.ofBatches(4).run(spark, 3);
    assertThat(results).allMatch(result -> result.attempt() == 0 && result.denied() == 0);
    assertThat(chaos.rules()).extracting(RuleStatus::fired).containsExactly(3L, 6L);
    assertThat(chaos.firedFile().getFileName().toString()).matches("dry-\\d+\\.jsonl");
    assertThat(ChaosFixture.fired(chaos)).hasSize(9);
    ChaosAgent.uninstall();
    JsonNode points = ChaosFixture.json(chaos.pointsFile());
    assertThat(points.get("mode").asText()).isEqualTo("dry-run");
    assertThat(ChaosFixture.point(points, "task.batch").get("fired").asInt()).isEqualTo(6);
  }

  @Test
  void shouldGiveTheClassesTheirOwnCodeBackWhenUninstalled() throws Exception {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: native.alloc, fault: out-of-memory, when: {from: 1}, where: {outsideTask:"
                + " true}}");
    assertThatThrownBy(() -> new PageSource().allocate(1)).isInstanceOf(OutOfMemoryError.class);
    long reached = chaos.point(FaultPoint.NATIVE_ALLOC).reached();
    assertThat(ChaosAgent.uninstall()).isTrue();
    assertThat(new PageSource().allocate(1)).isEqualTo(2);
    assertThat(chaos.point(FaultPoint.NATIVE_ALLOC).reached()).isEqualTo(reached);
    assertThat(ChaosAgent.current()).isEmpty();
    assertThat(ChaosAgent.uninstall()).isFalse();
    assertThat(ClassBytes.of(PageSource.class)).doesNotContain("io/spillway/chaos");
  }

  @Test
  void shouldDisarmEverythingWhenTheStageBaseIsNoNumber() {
    spark.setLocalProperty("spillway.chaos.stageBase", "first");
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: task.batch, fault: exception, when: {nth: 1}}");
    assertThat(SeamJob.ofBatches(1).run(spark, 1).get(0).attempt()).isZero();
    assertThat(chaos.disarmed().orElseThrow())
        .contains("spillway.chaos.stageBase must be a stage id, not 'first'");
  }

  @Test
  void shouldRefuseASecondPlanWhileOneIsArmed() {
    String rule = "{point: task.batch, fault: exception, when: {nth: 1}}";
    ChaosController first = ChaosFixture.arm(out, SEED, rule);
    assertThatThrownBy(() -> ChaosFixture.arm(out, SEED, rule))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("armed in this JVM already");
    assertThat(ChaosAgent.current()).contains(first);
  }

  @Test
  void shouldThrowAndArmNothingWhenAttachedWithAWrongPlan() throws Exception {
    Path plan = Files.writeString(out.resolve("plan.yaml"), "version: 1\nrules: none\n");
    assertThatThrownBy(
            () -> ChaosAgent.agentmain("plan=" + plan + ",out=" + out, ByteBuddyAgent.install()))
        .isInstanceOf(PlanException.class)
        .hasMessage(plan + ", line 2: 'rules' must be a list with at least one rule");
    assertThat(ChaosAgent.current()).isEmpty();
  }

  @Test
  void shouldArmNothingWhenTheReportCannotBeWritten() throws Exception {
    Path file = Files.createFile(out.resolve("file"));
    assertThatThrownBy(
            () ->
                ChaosFixture.arm(
                    file.resolve("dir"),
                    SEED,
                    "{point: task.batch, fault: exception, when: {nth: 1}}"))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("the report cannot be written to out=");
    assertThat(ChaosAgent.current()).isEmpty();
  }
}
