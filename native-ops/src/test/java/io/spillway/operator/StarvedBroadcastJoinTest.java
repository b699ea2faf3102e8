package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.PlanFigures;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broadcast joins whose table the executor shares, and those whose table it has no room for. */
class StarvedBroadcastJoinTest {
  @ParameterizedTest(name = "{0} build rows, {1} off-heap, {2} tasks at once, {3}")
  @CsvSource({
    "20000, 64m, 2, inner join, true",
    "20000, 64m, 2, left join, true",
    "60000, 2m, 1, inner join, false",
    "60000, 4m, 2, left join, false",
  })
  void shouldGiveTheRightResultWhetherOrNotTheTableFits(
      long builds, String offHeap, int cores, String type, boolean shared) {
    Map<String, String> settings =
        Map.of("spark.sql.autoBroadcastJoinThreshold", "-1", "spark.sql.adaptive.enabled", "false");
    try (TestSession session = TestSession.open(cores, offHeap, settings)) {
      Dataset<Row> query =
          session
              .spark()
              .sql(
                  """
                  select /*+ broadcast(y) */ count(*), count(if(x.k = y.k and v = 3 * y.k
                    and t = concat('a text that takes some room ', y.k), 1, null))
                  from (select (id * 7919) %% %1$d * 2 as k from range(0, 2 * %1$d, 1, 4)) x
                  %2$s (select id as k, id * 3 as v, concat('a text that takes some room ', id) as t
                    from range(0, %1$d, 1, 2)) y
                  on x.k = y.k
                  """
                      .formatted(builds, type));
      // What is shared is not given back as long as it is no query of Spark's.
      Row row = (shared ? query.toJavaRDD().collect() : query.collectAsList()).get(0);
      // Keys 0, 2, .. below the number of builds are on both sides, twice on the probe side.
      long pairs = builds / 2 * 2;
      assertThat(row.getLong(0)).as("rows").isEqualTo(type.startsWith("left") ? 2 * builds : pairs);
      assertThat(row.getLong(1)).as("right pairs").isEqualTo(pairs);
      String plan = query.queryExecution().executedPlan().toString();
      assertThat(plan).contains("SpillwayBroadcastHashJoin");
      long sharedBytes = ExecutorMemory.installed().orElseThrow().snapshot().sharedBytes();
      long spilledBytes = PlanFigures.of(query.queryExecution().executedPlan()).spilledBytes();
      if (shared) {
        assertThat(sharedBytes).as("the executor's table").isPositive();
        assertThat(spilledBytes).as("bytes spilled").isZero();
      } else {
        assertThat(sharedBytes).as("shared bytes").isZero();
        assertThat(spilledBytes).as("bytes spilled").isPositive();
      }
      ExecutorMemory.installed().orElseThrow().shared().evictUnused(Long.MAX_VALUE);
      session.assertNothingLeft();
    }
  }
}
