package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One plan after the other, over classes that are changed once. */
class RearmTest {
  private static SparkContext spark;

  @TempDir Path out;

  @BeforeAll
  static void startSpark() {
    spark = ChaosFixture.spark("local[1,4]");
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  private static FaultPlan plan(String rest) {
    return FaultPlan.parse("test", "{version: 1, seed: 7, " + rest + "}");
  }

  @Test
  void shouldFireByTheNewPlanAndCountFromZeroWhenAnotherTakesItsPlace() {
    ChaosController first =
        ChaosFixture.arm(out, 7, "{point: task.batch, fault: exception, when: {nth: 2}}");
    assertThat(SeamJob.ofBatches(3).run(spark, 2)).allMatch(task -> task.attempt() == 1);

    ChaosController second =
        ChaosAgent.rearm(
            plan(
                "rules: [{point: task.batch, fault: exception, when: {nth: 1}, where: {partition:"
                    + " 1}}]"));
    assertThat(SeamJob.ofBatches(3).run(spark, 2)).extracting("attempt").containsExactly(0, 1);

    assertThat(first.point(FaultPoint.TASK_BATCH).fired()).isEqualTo(2);
    assertThat(second.point(FaultPoint.TASK_BATCH).fired()).isEqualTo(1);
    assertThat(second.point(FaultPoint.TASK_BATCH).reached()).isEqualTo(3 + 1 + 3);
    assertThat(second.point(FaultPoint.TASK_BATCH).instrumented()).isTrue();
    assertThat(ChaosAgent.current()).contains(second);
    assertThat(ChaosFixture.fired(second)).hasSize(3);
    assertThat(
            ChaosFixture.point(ChaosFixture.json(second.pointsFile()), "task.batch")
                .get("fired")
                .asLong())
        .isEqualTo(1);
  }

  @Test
  void shouldKeepDryRunAndFaultsInFilesOfTheirOwnWhenOneFollowsTheOther() throws Exception {
    ChaosController dry =
        ChaosAgent.arm(
            plan(
                "dryRun: true, rules: [{point: task.batch, fault: exception, when: {from: 1},"
                    + " limits: {perTask: 100}}]"),
            out,
            ByteBuddyAgent.install());
    assertThat(SeamJob.ofBatches(2).run(spark, 1)).allMatch(task -> task.attempt() == 0);
    ChaosController fires =
        ChaosAgent.rearm(plan("rules: [{point: task.batch, fault: exception, when: {nth: 1}}]"));
    assertThat(SeamJob.ofBatches(2).run(spark, 1)).allMatch(task -> task.attempt() == 1);
    assertThat(dry.firedFile().getFileName().toString()).startsWith("dry-");
    assertThat(fires.firedFile().getFileName().toString()).startsWith("fired-");
    assertThat(Files.readAllLines(dry.firedFile())).hasSize(2);
    assertThat(Files.readAllLines(fires.firedFile())).hasSize(1);
  }

  @Test
  void shouldKeepThePlanThatIsArmedWhenTheNextNamesAnotherPoint() {
    ChaosController first =
        ChaosFixture.arm(out, 7, "{point: task.batch, fault: exception, when: {nth: 1}}");
    assertThatThrownBy(
            () ->
                ChaosAgent.rearm(
                    plan("rules: [{point: spill.open, fault: disk-full, when: {nth: 1}}]")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spill.open");
    assertThat(ChaosAgent.current()).contains(first);
    assertThat(SeamJob.ofBatches(1).run(spark, 1)).allMatch(task -> task.attempt() == 1);
  }

  @Test
  void shouldSayThatNothingIsArmedWhenThereIsNoPlanToReplace() {
    assertThatThrownBy(
            () ->
                ChaosAgent.rearm(plan("rules: [{point: task.batch, fault: kill, when: {nth: 1}}]")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing is armed");
  }

  @Test
  void shouldGiveEveryClassItsOwnCodeBackWhenTheLastPlanIsTakenAway() {
    ChaosFixture.arm(out, 7, "{point: task.batch, fault: exception, when: {nth: 1}}");
    ChaosAgent.rearm(plan("rules: [{point: task.batch, fault: kill, when: {nth: 1}}]"));
    assertThat(ChaosAgent.uninstall()).isTrue();
    assertThat(SeamJob.ofBatches(2).run(spark, 2)).allMatch(task -> task.attempt() == 0);
    assertThat(ChaosAgent.current()).isEmpty();
  }
}
