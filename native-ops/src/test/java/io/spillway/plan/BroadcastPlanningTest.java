package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.operator.NativeBroadcastHashJoinExec;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.spillway.SpillwayBroadcastExchangeExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which broadcast joins become native, what is said of the others, and what a broadcast is to whom.
 */
class BroadcastPlanningTest {
  private static final String AQE = "spark.sql.adaptive.enabled";
  private static final String JOIN =
      "select /*+ broadcast(b) */ a.id, b.g from sales a join sales b on a.k = b.id";

  private static PlanSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = PlanSession.open(folder);
    session
        .spark()
        .sql("select id, id % 10 as part from range(0, 100, 1, 1)")
        .write()
        .partitionBy("part")
        .parquet(folder.resolve("parts").toString());
    session
        .spark()
        .read()
        .parquet(folder.resolve("parts").toString())
        .createOrReplaceTempView("parts");
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static void assertOnTheJvm(String sql, String reason) {
    SparkPlan plan = PlanSession.planned(session.spark().sql(sql));
    assertThat(PlanSession.nodes(plan, NativeBroadcastHashJoinExec.class)).isEmpty();
    assertThat(PlanSession.nodes(plan, SpillwayBroadcastExchangeExec.class)).isEmpty();
    assertThat(PlanSession.nodes(plan, BroadcastHashJoinExec.class))
        .singleElement()
        .satisfies(node -> assertThat(FallbackReasons.of(node).orElseThrow()).contains(reason));
    assertThat(PlanSession.rows(session.spark().sql(sql))).isEqualTo(session.plainRows(sql));
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldSayWhyWhenABroadcastJoinStaysOnTheJvm(String aqe) {
    session.with(
        AQE,
        aqe,
        () -> {
          session.with(
              OperatorSwitch.BROADCAST_HASH_JOIN.key(),
              "false",
              () -> {
                assertOnTheJvm(JOIN, OperatorSwitch.BROADCAST_HASH_JOIN.key() + " is false");
                return null;
              });
          assertOnTheJvm(
              "select /*+ broadcast(b) */ a.id, b.xs from sales a join"
                  + " (select id, array(id) as xs from sales) b on a.id = b.id",
              "column xs has type array<bigint>");
          return null;
        });
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldPruneThePartitionsOfTheOtherSideByWhatIsBroadcast(String aqe) {
    String sql =
        "select /*+ broadcast(b) */ p.id, b.g from parts p join (select k, g from sales where"
            + " g = 'g3' and id < 30) b on p.part = b.k";
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          List<String> rows = PlanSession.rows(query);
          assertThat(rows).isEqualTo(session.plainRows(sql)).isNotEmpty();
          SparkPlan plan = query.queryExecution().executedPlan();
          assertThat(PlanSession.nodes(plan, NativeBroadcastHashJoinExec.class))
              .as(plan.toString())
              .hasSize(1);
          // One broadcast for both: the pruning reads what the join reads.
          assertThat(PlanSession.nodes(plan, SpillwayBroadcastExchangeExec.class))
              .as(plan.toString())
              .hasSize(1);
          assertThat(PlanSession.nodes(plan, BroadcastExchangeExec.class)).isEmpty();
          assertThat(plan.toString()).contains("dynamicpruning", "ReusedExchange");
          // Of ten: k is 3, 0, 7 and 4 where the group is g3.
          assertThat(
                  PlanSession.nodes(plan, FileSourceScanExec.class).stream()
                      .map(scan -> scan.metrics().get("numPartitions"))
                      .filter(metric -> metric.isDefined())
                      .map(metric -> metric.get().value()))
              .containsExactly(4L);
          return null;
        });
  }

  @Test
  void shouldGiveAHashedRelationWhenItsReaderIsOnTheJvm() {
    session.with(
        AQE,
        "false",
        () -> {
          SparkPlan plan = PlanSession.planned(session.spark().sql(JOIN));
          SpillwayBroadcastExchangeExec exchange =
              PlanSession.nodes(plan, SpillwayBroadcastExchangeExec.class).get(0);
          assertThat(exchange.executeBroadcast().value().getClass().getName())
              .endsWith("HashedRelation");
          return null;
        });
  }

  @Test
  void shouldFailAsSparkDoesWhenTheBroadcastTakesTooLong() {
    String slow =
        "select /*+ broadcast(b) */ a.id, b.n from sales a join (select id % 10 as k, count(*) as n"
            + " from range(0, 40000000000, 1, 2) group by id % 10) b on a.k = b.k";
    session.with(
        AQE,
        "false",
        () ->
            session.with(
                "spark.sql.broadcastTimeout",
                "1",
                () -> {
                  assertThatThrownBy(() -> session.spark().sql(slow).collectAsList())
                      .hasStackTraceContaining("Could not execute broadcast in 1 secs")
                      .isInstanceOf(SparkException.class);
                  return null;
                }));
  }
}
