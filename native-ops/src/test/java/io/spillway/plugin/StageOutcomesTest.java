package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.breaker.BreakerSettings;
import io.spillway.plan.OperatorSwitch;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.TaskEndReason;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Executors that crash while stages run, by the events of a real query. */
class StageOutcomesTest {
  private static final List<SparkListenerStageSubmitted> SUBMITTED = new CopyOnWriteArrayList<>();

  private static SparkSession spark;

  private final KindBreakers breakers =
      new KindBreakers(
          new BreakerSettings(4, 2, 50, Duration.ofMinutes(1), 2, Duration.ofMinutes(10)),
          Clock.systemUTC());
  private final StageOutcomes outcomes = new StageOutcomes(breakers);

  @BeforeAll
  static void runOne() throws Exception {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.plugins", "io.spillway.SpillwayPlugin");
    settings.put("spark.memory.offHeap.enabled", "true");
    settings.put("spark.memory.offHeap.size", "64m");
    spark = LocalApplication.start("local[1]", settings);
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
                SUBMITTED.add(submitted);
              }
            });
    spark.sql("select id % 3, sum(id) from range(0, 100, 1, 2) group by id % 3").collectAsList();
    spark.sparkContext().listenerBus().waitUntilEmpty(60_000);
  }

  @AfterAll
  static void stop() {
    LocalApplication.stop(spark);
  }

  @Test
  void shouldCountACrashOnceForEachExecutorAndEachKindOfTheStage() {
    outcomes.onStageSubmitted(SUBMITTED.get(0));
    lose("1", "Command exited with code 134");
    lose("1", "Command exited with code 134");
    assertThat(refusal(OperatorSwitch.HASH_AGGREGATE)).isEmpty();

    lose("2", "Command exited with code 139");

    assertThat(refusal(OperatorSwitch.HASH_AGGREGATE))
        .hasValueSatisfying(
            reason ->
                assertThat(reason).endsWith("executor 2 crashed: Command exited with code 139"));
    assertThat(refusal(OperatorSwitch.SHUFFLE_EXCHANGE)).isPresent();
    assertThat(refusal(OperatorSwitch.SORT)).as("no sort was in the stage").isEmpty();
  }

  @Test
  void shouldCountNoExecutorThatWasKilledOrTaken() {
    outcomes.onStageSubmitted(SUBMITTED.get(0));
    lose("1", "Command exited with code 137");
    lose("2", "worker lost");
    lose("3", "Executor decommission: spark scale down");

    assertThat(breakers.notClosed()).isZero();
  }

  private Optional<String> refusal(OperatorSwitch kind) {
    return breakers.refusal(kind, OptionalLong.empty());
  }

  private void lose(String executor, String reason) {
    TaskEndReason lost = new ExecutorLostFailure(executor, true, Option.apply(reason));
    TaskInfo task = null;
    outcomes.onTaskEnd(
        new SparkListenerTaskEnd(
            SUBMITTED.get(0).stageInfo().stageId(),
            SUBMITTED.get(0).stageInfo().attemptNumber(),
            "ShuffleMapTask",
            lost,
            task,
            new ExecutorMetrics(),
            new TaskMetrics()));
  }
}
