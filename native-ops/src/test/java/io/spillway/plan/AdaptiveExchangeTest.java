package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.NativeBroadcastHashJoinExec;
import io.spillway.operator.NativeColumnarToRowExec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What adaptive execution and Spark's planner do with Spark's exchanges, they do with ours. */
class AdaptiveExchangeTest {
  private static final String NO_BROADCAST = "spark.sql.autoBroadcastJoinThreshold";
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";
  private static final String SPILLWAY = "SpillwayExchange";

  private static PlanSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = PlanSession.open(folder);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  /** Runs a query with settings and on plain Spark, compares, and answers the plan that ran. */
  private static SparkPlan run(String sql, Map<String, String> settings) {
    settings.forEach((key, value) -> session.spark().conf().set(key, value));
    try {
      List<String> expected = session.plainRows(sql);
      Dataset<Row> query = session.spark().sql(sql);
      assertThat(PlanSession.rows(query)).as(sql).isEqualTo(expected);
      return query.queryExecution().executedPlan();
    } finally {
      settings.keySet().forEach(key -> session.spark().conf().unset(key));
      session.spark().conf().set(PARTITIONS, "3");
    }
  }

  @Test
  void shouldBeReadInFewerTasksWhenPartitionsAreSmall() {
    SparkPlan plan = run("select g, sum(price) from sales group by g", Map.of(PARTITIONS, "40"));

    assertThat(plan.toString()).contains(SPILLWAY).contains("AQEShuffleRead coalesced");
  }

  @Test
  void shouldBeReadInFewerTasksWhenAJoinGroupsByOneOfItsKeys() {
    SparkPlan plan =
        run(
            "select a.id, max(b.id) from sales a join (select id from sales where x < 900) b"
                + " on a.id = b.id group by a.id",
            Map.of(
                PARTITIONS,
                "40",
                NO_BROADCAST,
                "-1",
                "spark.sql.adaptive.autoBroadcastJoinThreshold",
                "-1"));

    assertThat(PlanSession.nodes(plan, SpillwayShuffleExchangeExec.class)).hasSize(2);
    assertThat(plan.toString()).contains("AQEShuffleRead coalesced");
  }

  @Test
  void shouldBeReadWhereItWasWrittenWhenASortMergeJoinTurnsIntoABroadcastJoin() {
    SparkPlan plan =
        run(
            "select a.id, a.g, b.x from sales a join (select id, x from sales where k = 3 and x < 20)"
                + " b on a.id = b.id where a.k < 9",
            Map.of(NO_BROADCAST, "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold", "1m"));

    assertThat(plan.toString()).contains(SPILLWAY).contains("AQEShuffleRead local");
    assertThat(PlanSession.nodes(plan, NativeBroadcastHashJoinExec.class))
        .singleElement()
        .satisfies(join -> assertThat(probeRead(join).isLocalRead()).as("probe side").isTrue());
  }

  @Test
  void shouldNotBeReadWhereItWasWrittenWhenAnAggregateReliesOnItsPartitions() {
    SparkPlan plan =
        run(
            "select a.id, count(*) from sales a join (select id, x from sales where k = 3 and x < 20)"
                + " b on a.id = b.id where a.k < 9 group by a.id",
            Map.of(NO_BROADCAST, "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold", "1m"));

    assertThat(PlanSession.nodes(plan, NativeBroadcastHashJoinExec.class))
        .singleElement()
        .satisfies(join -> assertThat(probeRead(join).isLocalRead()).as("probe side").isFalse());
  }

  /** How a join reads the side that is not broadcast. */
  private static AQEShuffleReadExec probeRead(NativeBroadcastHashJoinExec join) {
    return (AQEShuffleReadExec) join.children().apply(join.spec().buildLeft() ? 1 : 0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "100m, AQEShuffleRead coalesced",
    "2000, AQEShuffleRead skewed",
  })
  void shouldBeReadInPartsOfTheSizeThatIsWantedWhenRowsAreRebalanced(String wanted, String read) {
    Map<String, String> settings =
        Map.of(
            PARTITIONS,
            "4",
            "spark.sql.adaptive.advisoryPartitionSizeInBytes",
            wanted,
            "spark.sql.adaptive.coalescePartitions.parallelismFirst",
            "false",
            "spark.sql.adaptive.coalescePartitions.minPartitionSize",
            "1");
    SparkPlan inside =
        run(
            "select g, count(*), sum(id) from (select /*+ rebalance */ * from sales where k > 1)"
                + " group by g",
            settings);
    SparkPlan onTop = run("select /*+ rebalance */ * from sales where k > 1", settings);

    for (SparkPlan plan : List.of(inside, onTop)) {
      assertThat(plan.toString())
          .contains("SpillwayExchange RoundRobinPartitioning(4), REBALANCE_PARTITIONS_BY_NONE")
          .contains(read);
    }
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldBeNativeOnTopOfAPlanWhenRowsAreRepartitioned(String aqe) {
    for (String hint : new String[] {"repartition(4)", "repartition(4, id)", "repartition(1)"}) {
      SparkPlan plan =
          run(
              "select /*+ " + hint + " */ * from sales where k > 1",
              Map.of("spark.sql.adaptive.enabled", aqe));

      assertThat(PlanSession.nodes(plan, SpillwayShuffleExchangeExec.class)).as(hint).hasSize(1);
      assertThat(PlanSession.nodes(plan, NativeColumnarToRowExec.class)).as(hint).hasSize(1);
      assertThat(PlanSession.nodes(plan, ColumnarToRowExec.class)).as(hint).isEmpty();
    }
  }

  @Test
  void shouldStayAsPlannedWhenSpillwayIsTurnedOnAfterwards() {
    Dataset<Row> query =
        session.spark().sql("select /*+ repartition(4) */ * from sales where k > 1");
    session.with(PlanSettings.ENABLED, "false", () -> PlanSession.planned(query));

    assertThat(PlanSession.rows(query)).hasSize(1600);
    assertThat(PlanSession.nodes(query.queryExecution().executedPlan(), ShuffleExchangeExec.class))
        .hasSize(1);
  }

  @Test
  void shouldBeSplitWhenOnePartitionOfAJoinIsSkewed() {
    SparkPlan plan =
        run(
            "select a.id, a.g, b.id from (select id, g, if(k < 8, 0, id) as j from sales where x >= 0)"
                + " a join (select id from sales where x >= 0) b on a.j = b.id",
            Map.of(
                NO_BROADCAST,
                "-1",
                PARTITIONS,
                "10",
                "spark.sql.adaptive.autoBroadcastJoinThreshold",
                "-1",
                "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes",
                "1000",
                "spark.sql.adaptive.skewJoin.skewedPartitionFactor",
                "1.5",
                "spark.sql.adaptive.advisoryPartitionSizeInBytes",
                "1000",
                "spark.sql.adaptive.coalescePartitions.minPartitionSize",
                "1"));

    assertThat(plan.toString()).contains(SPILLWAY).contains("skewed");
    // Rows are made by the native transition although Spark's reader is in between.
    assertThat(PlanSession.nodes(plan, NativeColumnarToRowExec.class)).isNotEmpty();
    assertThat(PlanSession.nodes(plan, ColumnarToRowExec.class)).isEmpty();
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldBeWrittenOnceWhenTwoPartsOfAQueryNeedTheSame(String aqe) {
    SparkPlan plan =
        run(
            "with x as (select k, sum(id) as s from sales where id > 5 group by k)"
                + " select a.k, a.s, b.s from x a join x b on a.k = b.k + 1",
            Map.of("spark.sql.adaptive.enabled", aqe, NO_BROADCAST, "-1"));

    assertThat(plan.toString()).contains(SPILLWAY).contains("ReusedExchange");
  }

  @Test
  void shouldCountRowsNotBatchesWhenItIsWrittenAndRead() {
    SparkPlan plan =
        run(
            "select /*+ repartition(5, id) */ id, g from sales where k > 1",
            Map.of("spark.sql.adaptive.coalescePartitions.enabled", "false"));
    SparkPlan inside =
        run(
            "select count(*), max(g) from (select /*+ repartition(5, id) */ id, g from sales"
                + " where k > 1)",
            Map.of("spark.sql.adaptive.coalescePartitions.enabled", "false"));

    assertThat(PlanSession.nodes(plan, SpillwayShuffleExchangeExec.class)).hasSize(1);
    SpillwayShuffleExchangeExec exchange =
        PlanSession.nodes(inside, SpillwayShuffleExchangeExec.class).stream()
            .filter(node -> node.outputPartitioning().numPartitions() == 5)
            .findFirst()
            .orElseThrow();
    assertThat(metric(exchange, "shuffleRecordsWritten")).isEqualTo(1600);
    assertThat(metric(exchange, "recordsRead")).isEqualTo(1600);
    assertThat(metric(exchange, "numPartitions")).isEqualTo(5);
    assertThat(metric(exchange, "dataSize")).isGreaterThan(1600 * 8);
    assertThat(metric(exchange, "shuffleBytesWritten")).isPositive();
    assertThat(metric(exchange, "peakNativeBytes")).isPositive();
    assertThat(exchange.runtimeStatistics().rowCount().get())
        .isEqualTo(scala.math.BigInt.apply(1600));
  }

  @Test
  void shouldSayWhyWhenAnExchangeStaysSparks() {
    assertThat(reason("select /*+ repartition(4) */ array(id) as a from sales where k > 1"))
        .isEqualTo("column a has type array<bigint>");
    assertThat(
            session.with(
                OperatorSwitch.SHUFFLE_EXCHANGE.key(),
                "false",
                () -> reason("select g, count(*) from sales group by g")))
        .isEqualTo("spark.spillway.operator.shuffleExchange.enabled is false");
    assertThat(
            session.with(
                OperatorSwitch.SHUFFLED_HASH_JOIN.key(),
                "false",
                () ->
                    reason(
                        "select a.id from range(100) a join range(100) b on a.id = b.id",
                        NO_BROADCAST)))
        .isEqualTo(NativeRules.TRANSITION_COST);
    assertThat(
            reason(
                "select max(a) from (select /*+ repartition(4, id) */ id, array(id) as a from"
                    + " sales where k > 1)"))
        .isEqualTo("column max has type array<bigint>");
  }

  private static String reason(String sql) {
    SparkPlan plan = PlanSession.planned(session.spark().sql(sql));
    return PlanSession.nodes(plan, ShuffleExchangeExec.class).stream()
        .map(node -> FallbackReasons.of(node).orElse("no reason"))
        .findFirst()
        .orElseThrow();
  }

  private static String reason(String sql, String off) {
    return session.with(off, "-1", () -> reason(sql));
  }

  private static long metric(SparkPlan node, String name) {
    return node.metrics().apply(name).value();
  }
}
