package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.NativeColumnarToRowExec;
import io.spillway.operator.NativeFilterExec;
import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.operator.NativeOperator;
import io.spillway.operator.NativeProjectExec;
import io.spillway.operator.NativeRowToColumnarExec;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is planned natively, what is not, and that the reason is said; with AQE on and off. */
class NativeRulesTest {
  private static final String AQE = "spark.sql.adaptive.enabled";

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

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldShowNativeOperatorsBeforeRunningWhenTheScanIsColumnar(String aqe) {
    String sql =
        "select g, sum(price * 2) as s, count(*) from sales where k > 2 group by g having s > 1";
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          SparkPlan plan = PlanSession.planned(query);
          assertThat(PlanSession.nodes(plan, NativeHashAggregateExec.class)).hasSize(2);
          assertThat(PlanSession.nodes(plan, NativeFilterExec.class)).hasSize(2);
          assertThat(PlanSession.nodes(plan, HashAggregateExec.class)).isEmpty();
          assertThat(PlanSession.rows(query)).isEqualTo(session.plainRows(sql));
          return null;
        });
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldUseNativeTransitionsOnlyWhenTheyTouchNativeOperators(String aqe) {
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query =
              session
                  .spark()
                  .sql(
                      "select k, count(*) from (select id % 3 as k from range(100))"
                          + " group by k");
          List<String> rows = PlanSession.rows(query);
          SparkPlan plan = query.queryExecution().executedPlan();
          assertThat(PlanSession.nodes(plan, NativeRowToColumnarExec.class)).hasSize(1);
          assertThat(PlanSession.nodes(plan, NativeColumnarToRowExec.class)).hasSize(1);
          assertThat(PlanSession.nodes(plan, RowToColumnarExec.class)).isEmpty();
          assertThat(rows).containsExactly("[0,34]", "[1,33]", "[2,33]");
          return null;
        });
  }

  @Test
  void shouldStayOnTheJvmWhenAnIslandOnlyPassesRowsThrough() {
    SparkPlan plan =
        PlanSession.planned(session.spark().sql("select id + 1 from range(10) where id > 3"));

    assertThat(PlanSession.nodes(plan, NativeOperator.class)).isEmpty();
    assertThat(PlanSession.nodes(plan, ProjectExec.class))
        .allSatisfy(
            node -> assertThat(FallbackReasons.of(node)).contains(NativeRules.TRANSITION_COST));
    assertThat(PlanSession.nodes(plan, FilterExec.class))
        .allSatisfy(
            node -> assertThat(FallbackReasons.of(node)).contains(NativeRules.TRANSITION_COST));
  }

  @Test
  void shouldSayWhyWhenAnExpressionIsNotSupported() {
    SparkPlan plan =
        PlanSession.planned(session.spark().sql("select soundex(g) as u from sales where k > 2"));

    assertThat(PlanSession.nodes(plan, NativeFilterExec.class)).hasSize(1);
    assertThat(PlanSession.nodes(plan, ProjectExec.class))
        .singleElement()
        .satisfies(node -> assertThat(FallbackReasons.of(node)).contains("expression soundex"));
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldDropTheSortOfASortAggregateWhenNothingReliesOnItsOrder(String aqe) {
    String sql = "select k, min(g), max(g) from sales group by k";
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          List<String> rows = PlanSession.rows(query);
          SparkPlan plan = query.queryExecution().executedPlan();
          assertThat(PlanSession.nodes(plan, NativeHashAggregateExec.class)).hasSize(2);
          assertThat(PlanSession.nodes(plan, SortExec.class)).isEmpty();
          assertThat(PlanSession.nodes(plan, SortAggregateExec.class)).isEmpty();
          assertThat(rows).isEqualTo(session.plainRows(sql));
          return null;
        });
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldReplaceWhateverSortsWhenTheResultHasNoOrderOfItsOwn(String aqe) {
    session.with(
        AQE,
        aqe,
        () -> {
          // One row.
          assertSortsNothing("select min(g), max(g) from sales", 2);
          assertSortsNothing("select * from (select min(g), max(g) from sales) limit 3", 2);
          // The first rows in order, whatever order they come in.
          assertSortsNothing(
              "select k, min(g) as m from sales group by k order by m, k limit 4", 2);
          String join =
              "select /*+ merge(a, b) */ a.id, b.g from sales a join sales b on a.k = b.id";
          assertSortsNothing(join + " order by a.id, b.g limit 5", 0);
          assertSortsNothing(join + " limit 2000", 0);
          return null;
        });
  }

  private static void assertSortsNothing(String sql, int aggregates) {
    Dataset<Row> query = session.spark().sql(sql);
    List<String> rows = PlanSession.rows(query);
    SparkPlan plan = query.queryExecution().executedPlan();
    assertThat(PlanSession.nodes(plan, NativeHashAggregateExec.class))
        .as(plan.toString())
        .hasSize(aggregates);
    assertThat(PlanSession.nodes(plan, SortAggregateExec.class)).as(plan.toString()).isEmpty();
    assertThat(PlanSession.nodes(plan, SortMergeJoinExec.class)).as(plan.toString()).isEmpty();
    assertThat(PlanSession.nodes(plan, SortExec.class)).as(plan.toString()).isEmpty();
    assertThat(rows).isEqualTo(session.plainRows(sql));
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldKeepTheSortAggregateWhenAJoinReliesOnItsOrder(String aqe) {
    String sql =
        "select /*+ merge(a, b) */ a.k, a.m, b.id from"
            + " (select k, min(g) as m from sales group by k) a join sales b on a.k = b.k";
    withMergeJoins(
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          SparkPlan plan = PlanSession.planned(query);
          assertThat(PlanSession.nodes(plan, SortAggregateExec.class))
              .singleElement()
              .satisfies(
                  node -> assertThat(FallbackReasons.of(node).orElseThrow()).contains("relied on"));
          // The partial one is below an exchange, which keeps no order anyway.
          assertThat(PlanSession.nodes(plan, NativeHashAggregateExec.class)).hasSize(1);
          assertThat(PlanSession.rows(query)).isEqualTo(session.plainRows(sql));
          return null;
        });
  }

  /** A native join needs no order, so it is off. */
  private static void withMergeJoins(String aqe, Supplier<Void> action) {
    session.with(
        AQE, aqe, () -> session.with(OperatorSwitch.SHUFFLED_HASH_JOIN.key(), "false", action));
  }

  @Test
  void shouldKeepTheSortAggregateWhenAFinalSortWasLeftOutForIt() {
    String sql = "select k, min(g) from sales group by k order by k";
    session.with(
        "spark.sql.shuffle.partitions",
        "1",
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          List<Row> rows = query.collectAsList();
          assertThat(rows).extracting(row -> row.getLong(0)).isSorted();
          return null;
        });
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldCountDistinctNativelyWhenSparkHasMadeTheInputDistinct(String aqe) {
    String sql = "select k, count(distinct g) from sales group by k";
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          assertThat(PlanSession.nodes(PlanSession.planned(query), HashAggregateExec.class))
              .isEmpty();
          assertThat(PlanSession.rows(query)).isEqualTo(session.plainRows(sql));
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, first(id) filter (where id > 5) from sales group by k|FILTER clause of first",
        "select k, skewness(x) from sales group by k|aggregate function skewness",
        "select k, collect_list(id) from sales group by k|keep objects",
        "select k, corr(x, id) from sales group by k|aggregate function corr",
        "select k, approx_count_distinct(id) from sales group by k|aggregate function approx"
      })
  void shouldSayWhyWhenAnAggregateIsNotSupported(String sqlAndReason) {
    String[] parts = sqlAndReason.split("\\|", 2);

    String explained = Explain.of(session.spark().sql(parts[0]));

    assertThat(explained).contains(parts[1]);
  }

  @Test
  void shouldSayWhyWhenAnsiModeMayFail() {
    String explained =
        session.with(
            "spark.sql.ansi.enabled",
            "true",
            () -> Explain.of(session.spark().sql("select sum(id) from sales where id + 1 > 3")));

    assertThat(explained).contains("ANSI mode: sum may overflow", "ANSI mode: add may overflow");
  }

  @ParameterizedTest
  @EnumSource(
      value = OperatorSwitch.class,
      names = {"FILTER", "PROJECT", "HASH_AGGREGATE"})
  void shouldNameTheSwitchWhenAKindIsSwitchedOff(OperatorSwitch operator) {
    String key = operator.key();
    String sql = "select k + 1 as k1, sum(id) + 1 from sales where k > 2 group by k + 1";

    String explained = session.with(key, "false", () -> Explain.of(session.spark().sql(sql)));

    assertThat(explained).contains("(" + key + " is false)");
  }

  @Test
  void shouldPlanNothingNativelyWhenSwitchedOffInTheSession() {
    SparkPlan plan =
        session.with(
            PlanSettings.ENABLED,
            "false",
            () ->
                PlanSession.planned(session.spark().sql("select sum(id) from sales where k > 2")));

    assertThat(PlanSession.nodes(plan, NativeOperator.class)).isEmpty();
  }

  @Test
  void shouldPlanNothingNativelyWhenTheSwitchHasAWrongValue() {
    SparkPlan plan =
        session.with(
            PlanSettings.ENABLED,
            "perhaps",
            () -> PlanSession.planned(session.spark().sql("select sum(id) from sales")));

    assertThat(PlanSession.nodes(plan, NativeOperator.class)).isEmpty();
  }

  @Test
  void shouldChangeNothingWhenAppliedAgain() {
    SparkPlan plan =
        PlanSession.planned(
            session.spark().sql("select g, sum(price) + 1 from sales where k > 2 group by g"));

    assertThat(new NativeRules().apply(plan)).isSameAs(plan);
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldReuseAnExchangeWhenTwoNativeAggregatesDoTheSame(String aqe) {
    String aggregate = "(select k, sum(id) as s from sales where k > 1 group by k)";
    String sql = "select a.k, b.s from " + aggregate + " a join " + aggregate + " b on a.s = b.s";
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          List<String> rows = PlanSession.rows(query);
          SparkPlan plan = query.queryExecution().executedPlan();
          assertThat(plan.toString()).contains("ReusedExchange");
          assertThat(rows).isEqualTo(session.plainRows(sql));
          return null;
        });
  }

  @Test
  void shouldReplaceAllStagesWhenDistinctFunctionsMeetOthers() {
    String sql =
        "select k, count(distinct g), sum(id), stddev(x) filter (where id > 9) from sales group by k";
    SparkPlan plan = PlanSession.planned(session.spark().sql(sql));

    assertThat(PlanSession.nodes(plan, NativeHashAggregateExec.class)).hasSize(4);
    assertThat(PlanSession.nodes(plan, BaseAggregateExec.class)).isEmpty();
  }

  @Test
  void shouldPutResultExpressionsIntoAProjectionWhenTheyDoMoreThanPass() {
    Dataset<Row> query =
        session.spark().sql("select sum(id) * 2, soundex(cast(min(k) as string)) from sales");

    SparkPlan plan = PlanSession.planned(query);
    assertThat(PlanSession.nodes(plan, ProjectExec.class))
        .singleElement()
        .satisfies(node -> assertThat(FallbackReasons.of(node)).isPresent());
    assertThat(PlanSession.nodes(plan, NativeHashAggregateExec.class)).hasSize(2);

    SparkPlan simple = PlanSession.planned(session.spark().sql("select sum(id) * 2 from sales"));
    assertThat(PlanSession.nodes(simple, NativeProjectExec.class)).isNotEmpty();
  }

  @Test
  void shouldKeepEachKeyInOneTaskWhenAdaptiveExecutionCouldReadShufflesLocally() {
    // The join becomes a broadcast join at run time; then only the aggregate still needs the
    // shuffled data where it is.
    String sql =
        "select a.k, count(*) from (select id % 10 as k from range(0, 400, 1, 4)) a"
            + " join (select id % 10 as k from range(0, 2000, 1, 4)) b on a.k = b.k group by a.k";
    session.with(
        "spark.sql.autoBroadcastJoinThreshold",
        "-1",
        () ->
            session.with(
                "spark.sql.adaptive.coalescePartitions.enabled",
                "false",
                () -> {
                  Dataset<Row> query = session.spark().sql(sql);
                  List<String> rows =
                      session.with(
                          "spark.sql.adaptive.autoBroadcastJoinThreshold",
                          "10m",
                          () -> PlanSession.rows(query));
                  String plan = query.queryExecution().executedPlan().toString();
                  assertThat(plan).contains("BroadcastHashJoin", "SpillwayHashAggregate");
                  assertThat(rows).isEqualTo(session.plainRows(sql));
                  return null;
                }));
  }
}
