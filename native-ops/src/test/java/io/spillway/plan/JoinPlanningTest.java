package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.NativeShuffledHashJoinExec;
import io.spillway.operator.NativeSortExec;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which joins become native, which side they build, and what is said of the others. */
class JoinPlanningTest {
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

  private static SparkPlan plan(String sql) {
    return PlanSession.planned(session.spark().sql(sql));
  }

  private static void assertOnTheJvm(String sql, String reason) {
    SparkPlan plan = plan(sql);
    assertThat(PlanSession.nodes(plan, NativeShuffledHashJoinExec.class)).isEmpty();
    assertThat(PlanSession.nodes(plan, SortMergeJoinExec.class))
        .singleElement()
        .satisfies(node -> assertThat(FallbackReasons.of(node).orElseThrow()).contains(reason));
    assertThat(Explain.of(plan)).contains(reason);
    assertThat(PlanSession.rows(session.spark().sql(sql))).isEqualTo(session.plainRows(sql));
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldLeaveOutTheSortsWhenASortMergeJoinBecomesNative(String aqe) {
    String sql = "select /*+ merge(b) */ a.id, b.g from sales a join sales b on a.k = b.id";
    session.with(
        AQE,
        aqe,
        () -> {
          Dataset<Row> query = session.spark().sql(sql);
          SparkPlan before = PlanSession.planned(query);
          assertThat(PlanSession.nodes(before, NativeShuffledHashJoinExec.class)).hasSize(1);
          assertThat(PlanSession.nodes(before, SortExec.class)).isEmpty();
          assertThat(PlanSession.rows(query)).isEqualTo(session.plainRows(sql));
          SparkPlan after = query.queryExecution().executedPlan();
          assertThat(PlanSession.nodes(after, NativeShuffledHashJoinExec.class)).hasSize(1);
          assertThat(PlanSession.nodes(after, SortExec.class)).isEmpty();
          return null;
        });
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldKeepTheMergeJoinWhenAWindowReliesOnItsOrder(String aqe) {
    session.with(
        AQE,
        aqe,
        () -> {
          assertOnTheJvm(
              "select k, count(*) over (partition by k) from"
                  + " (select /*+ merge(b) */ a.k, b.g from sales a join sales b on a.k = b.k"
                  + " where a.id < 300 and b.id < 100)",
              "order of a join's output is relied on");
          return null;
        });
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldKeepTheMergeJoinWhenASortOfItsPartitionsWasLeftOutForIt(String aqe) {
    String sql =
        "select /*+ merge(b) */ a.k, b.g from sales a join sales b on a.k = b.k"
            + " where a.id < 300 and b.id < 100 sort by k";
    session.with(
        AQE,
        aqe,
        () -> {
          assertOnTheJvm(sql, "order of a join's output is relied on");
          List<Boolean> sorted =
              session
                  .spark()
                  .sql(sql)
                  .toJavaRDD()
                  .mapPartitions(JoinPlanningTest::isSorted)
                  .collect();
          assertThat(sorted).isNotEmpty().containsOnly(true);
          return null;
        });
  }

  private static Iterator<Boolean> isSorted(Iterator<Row> rows) {
    boolean sorted = true;
    for (long last = Long.MIN_VALUE; rows.hasNext(); ) {
      long key = rows.next().getLong(0);
      sorted &= key >= last;
      last = key;
    }
    return List.of(sorted).iterator();
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldJoinNativelyWhenTheSortAboveIsStillThere(String aqe) {
    session.with(
        AQE,
        aqe,
        () -> {
          SparkPlan plan =
              plan(
                  "select /*+ merge(b) */ concat(b.g, a.k) as g, a.k from sales a"
                      + " join sales b on a.k = b.k sort by g, k");
          assertThat(PlanSession.nodes(plan, NativeShuffledHashJoinExec.class)).hasSize(1);
          assertThat(PlanSession.nodes(plan, NativeSortExec.class)).hasSize(1);
          return null;
        });
  }

  @Test
  void shouldSayWhyWhenAJoinStaysOnTheJvm() {
    assertOnTheJvm(
        "select /*+ merge(b) */ a.id, b.xs from sales a join"
            + " (select id, array(id) as xs from sales) b on a.id = b.id",
        "column xs has type array<bigint>");
    assertOnTheJvm(
        "select /*+ merge(b) */ a.id from sales a join sales b on a.id = b.id and soundex(a.g) <>"
            + " concat(b.g, 'x')",
        "soundex");
    session.with(
        OperatorSwitch.SHUFFLED_HASH_JOIN.key(),
        "false",
        () -> {
          assertOnTheJvm(
              "select /*+ merge(b) */ a.id from sales a join sales b on a.id = b.id",
              OperatorSwitch.SHUFFLED_HASH_JOIN.key() + " is false");
          return null;
        });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "small join sales, BuildLeft",
    "sales join small, BuildRight",
    "small left join sales, BuildRight",
    "sales right join small, BuildLeft",
    "small full join sales, BuildRight",
    "small left semi join sales, BuildRight",
  })
  void shouldBuildTheSideThatTheJoinTypeOrTheSizesSpeakFor(String sides, String build) {
    session
        .spark()
        .sql("select id, k from sales where id < 20")
        .write()
        .mode("overwrite")
        .parquet(folder.resolve("small").toString());
    session
        .spark()
        .read()
        .parquet(folder.resolve("small").toString())
        .createOrReplaceTempView("small");
    String sql = "select /*+ merge(sales) */ 1 from %s on small.id = sales.id".formatted(sides);
    assertThat(PlanSession.nodes(plan(sql), NativeShuffledHashJoinExec.class))
        .singleElement()
        .satisfies(
            join ->
                assertThat(join.spec().buildLeft())
                    .as("builds left")
                    .isEqualTo(build.equals("BuildLeft")));
    assertThat(plan(sql).toString()).contains(build);
  }
}
