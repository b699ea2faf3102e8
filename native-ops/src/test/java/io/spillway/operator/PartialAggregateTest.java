package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.junit.jupiter.api.Test;
import scala.collection.JavaConverters;

/** What the first of two aggregations hands on. */
class PartialAggregateTest {
  private static final long ROWS = 400_000;

  @Test
  void shouldHandOnEachGroupOfAPartitionOnceWhenMemoryIsPlenty() {
    long groups = 3000;
    assertThat(
            handedOn(
                "select k, count(*) from (select id %% %d as k from range(0, %d, 1, 1)) group by k"
                    .formatted(groups, ROWS),
                groups))
        .isEqualTo(groups);
  }

  @Test
  void shouldHandOnNoMoreThanCameWhenKeysHardlyRepeat() {
    assertThat(
            handedOn(
                "select k, count(*) from (select id * 7919 as k from range(0, %d, 1, 1)) group by k"
                    .formatted(ROWS),
                ROWS))
        .isEqualTo(ROWS);
  }

  /** Rows that the partial aggregation of a query has made, of which the final one makes groups. */
  private static long handedOn(String sql, long groups) {
    try (TestSession session = TestSession.open(1, "1g", Map.of())) {
      Dataset<Row> query = session.spark().sql(sql);
      assertThat(query.collectAsList())
          .hasSize(Math.toIntExact(groups))
          .allMatch(row -> row.getLong(1) == ROWS / groups || row.getLong(1) == ROWS / groups + 1);
      List<SparkPlan> aggregates = new ArrayList<>();
      collect(query.queryExecution().executedPlan(), aggregates);
      assertThat(aggregates).hasSize(2);
      long rows = aggregates.get(1).metrics().apply("numOutputRows").value();
      session.assertNothingLeft();
      return rows;
    }
  }

  private static void collect(SparkPlan plan, List<SparkPlan> aggregates) {
    if (plan instanceof NativeHashAggregateExec) {
      aggregates.add(plan);
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), aggregates);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), aggregates);
    } else {
      JavaConverters.seqAsJavaList(plan.children()).forEach(child -> collect(child, aggregates));
    }
  }
}
