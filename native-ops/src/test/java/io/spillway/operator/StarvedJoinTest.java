package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.PlanFigures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Joins whose build side is many times what their task may have. */
class StarvedJoinTest {
  private static final Map<String, String> SHUFFLED =
      Map.of("spark.sql.autoBroadcastJoinThreshold", "-1", "spark.sql.adaptive.enabled", "false");

  /** Build row k has the value 3k; every second probe key is there, each probe key comes twice. */
  private static String join(long builds, String type, int partitions) {
    return """
        select /*+ shuffle_hash(y) */ x.k as xk, y.k as yk, y.v as v, y.t as t
        from (select (id * 7919) %% %1$d * 2 as k from range(0, 2 * %1$d, 1, %3$d)) x
        %2$s (select (id * 104729) %% %1$d as k, (id * 104729) %% %1$d * 3 as v,
            concat('a text that takes some room ', (id * 104729) %% %1$d) as t
          from range(0, %1$d, 1, %3$d)) y
        on x.k = y.k
        """
        .formatted(builds, type, partitions);
  }

  private static String check(long builds, String type, int partitions) {
    return ("select count(*), count(if(xk = yk and v = 3 * yk and t = concat('a text that takes some"
            + " room ', yk), 1, null)), count(xk), count(yk) from (")
        + join(builds, type, partitions)
        + ")";
  }

  private static void run(long builds, String offHeap, int cores, String type) {
    try (TestSession session = TestSession.open(cores, offHeap, SHUFFLED)) {
      Dataset<Row> query = session.spark().sql(check(builds, type, cores));
      Row row = query.collectAsList().get(0);
      boolean keepsProbe = !type.startsWith("inner") && !type.startsWith("right");
      boolean keepsBuild = type.startsWith("right") || type.startsWith("full");
      // Keys 0, 2, .. below the number of builds are on both sides, twice on the probe side.
      long pairs = builds / 2 * 2;
      long lonelyProbes = keepsProbe ? 2 * builds - pairs : 0;
      long lonelyBuilds = keepsBuild ? builds - builds / 2 : 0;
      assertThat(row.getLong(0)).as("rows").isEqualTo(pairs + lonelyProbes + lonelyBuilds);
      assertThat(row.getLong(1)).as("right pairs").isEqualTo(pairs);
      assertThat(row.getLong(2)).as("probe rows").isEqualTo(pairs + lonelyProbes);
      assertThat(row.getLong(3)).as("build rows").isEqualTo(pairs + lonelyBuilds);
      assertThat(query.queryExecution().executedPlan().toString())
          .contains("SpillwayShuffledHashJoin");
      PlanFigures figures = PlanFigures.of(query.queryExecution().executedPlan());
      assertThat(figures.spilledBytes()).as("bytes spilled").isPositive();
      session.assertNothingLeft();
    }
  }

  @ParameterizedTest(name = "{0} build rows, {1} off-heap, {2} tasks at once, {3}")
  @CsvSource({
    "400000, 1m, 1, full join",
    "300000, 4m, 1, inner join",
    "200000, 4m, 2, left join",
    "200000, 4m, 2, right join",
  })
  void shouldGiveTheRightResultWhenTheBuildSideDoesNotFit(
      long builds, String offHeap, int cores, String type) {
    run(builds, offHeap, cores, type);
  }

  @Tag("soak")
  @ParameterizedTest(name = "{0} build rows, {1} off-heap, {2} tasks at once, {3}")
  @CsvSource({
    "3000000, 1m, 1, full join",
    "5000000, 16m, 1, inner join",
    "3000000, 4m, 2, full join",
  })
  void shouldGiveTheRightResultWhenMillionsOfBuildRowsDoNotFit(
      long builds, String offHeap, int cores, String type) {
    run(builds, offHeap, cores, type);
  }

  @Test
  void shouldGiveTheRightResultWhenOneKeyAloneDoesNotFit() {
    try (TestSession session = TestSession.open(1, "1m", SHUFFLED)) {
      Dataset<Row> query =
          session
              .spark()
              .sql(
                  """
                  select /*+ shuffle_hash(y) */ count(*), sum(y.v), count(distinct x.id),
                    count(if(y.v is null, 1, null))
                  from (select id, if(id < 40, 0, id) as k from range(0, 80, 1, 1)) x
                  left join (select id % 1 as k, id as v,
                      concat('a text that takes some room ', id) as t
                    from range(0, 60000, 1, 1)) y
                  on x.k = y.k and y.t > 'a text'
                  """);
      Row row = query.collectAsList().get(0);
      assertThat(row.getLong(0)).isEqualTo(40L * 60_000 + 40);
      assertThat(row.getLong(1)).isEqualTo(40L * (59_999L * 60_000 / 2));
      assertThat(row.getLong(2)).isEqualTo(80);
      assertThat(row.getLong(3)).isEqualTo(40);
      PlanFigures figures = PlanFigures.of(query.queryExecution().executedPlan());
      assertThat(query.queryExecution().executedPlan().toString())
          .contains("SpillwayShuffledHashJoin");
      assertThat(figures.spilledBytes()).as("bytes spilled").isGreaterThan(2 << 20);
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldLeaveNothingWhenAQueryIsCancelledInTheMiddle() {
    try (TestSession session = TestSession.open(2, "4m", SHUFFLED)) {
      SparkSession spark = session.spark();
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      CompletableFuture<Void> query =
          CompletableFuture.runAsync(
              () -> {
                spark.sparkContext().setJobGroup("to-be-cancelled", "a long join", false);
                // One key: without an end, but for the cancellation.
                spark
                    .sql(
                        """
                        select count(*), max(x.v + y.v) from
                          (select id % 1 as k, id as v from range(0, 3000000, 1, 1)) x
                        join (select id % 1 as k, id as v from range(0, 3000000, 1, 1)) y on x.k = y.k
                        where x.v * 3 <> y.v + 1
                        """)
                    .collectAsList();
              });
      Awaitility.await("the join has spilled and holds memory")
          .atMost(Duration.ofMinutes(2))
          .until(() -> memory.snapshot().usedBytes() > 0 && memory.snapshot().spilledBytes() > 0);
      spark.sparkContext().cancelJobGroup("to-be-cancelled");
      assertThatThrownBy(query::get)
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("cancelled");
      session.assertNothingLeft();
      assertThat(memory.snapshot().leakedBytes()).isZero();
    }
  }
}
