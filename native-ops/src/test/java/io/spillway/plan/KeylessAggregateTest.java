package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.NativeKeylessAggregateExec;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An aggregate without keys puts out a row even over no rows, and adaptive execution, which plans
 * on with the rows that it has seen, must know.
 */
class KeylessAggregateTest {
  private static final String NO_BROADCAST = "spark.sql.autoBroadcastJoinThreshold";

  private static PlanSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = PlanSession.open(folder);
    String parts = folder.resolve("parts").toString();
    session
        .spark()
        .sql("select id, id % 2 as part from range(100)")
        .write()
        .partitionBy("part")
        .parquet(parts);
    session.spark().read().parquet(parts).createOrReplaceTempView("parts");
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) n from range(0) union select count(*) n from range(0)",
        "select count(*) n from range(0, 5, 1, 1) union all select count(*) from range(0) order by n",
        "select count(*) n from range(0) union all select count(*) from range(0) limit 1",
        "select * from (select count(*) n from range(0) limit 1)"
            + " union all select count(*) from range(0) limit 1",
        "select count(distinct id) n from range(0) union select count(distinct id) from range(0)",
        "select count(distinct id) n, sum(id) s from range(0)"
            + " union all select count(distinct id), max(id) from range(0) limit 1",
        "select count(*) n from parts where part = 7 union select count(*) from parts where part = 7",
        "select n + 1 from (select count(*) n from range(0) union all select count(*) from range(3)"
            + " order by n)",
        "select count(distinct n) from (select count(*) n from range(0) union all select count(*)"
            + " from range(0))",
        "select k, n from (select id % 3 k, count(*) c from range(9) group by 1)"
            + " cross join (select count(*) n from range(0)) order by k",
        "select k from (select id % 3 k, count(*) c from range(9) group by 1) a left anti join"
            + " (select count(*) n from range(0)) order by k",
        "select count(*) n from (select row_number() over (order by id) r from range(0))"
            + " union select count(*) n from (select row_number() over (order by id) r from range(0))"
      })
  void shouldPutOutItsRowInAdaptivePlansWhenThereIsNoInput(String sql) {
    session.with(
        NO_BROADCAST,
        "-1",
        () -> {
          assertSameRowsInTheSameOrder(sql);
          return session.with(
              OperatorSwitch.SHUFFLE_EXCHANGE.key(),
              "false",
              () -> {
                assertSameRowsInTheSameOrder(sql);
                return null;
              });
        });
    assertSameRowsInTheSameOrder(sql);
  }

  @Test
  void shouldLookLikeAnyAggregateInPlansAndReports() {
    Dataset<Row> query = session.spark().sql("select count(*) from range(100)");

    assertThat(
            PlanSession.nodes(
                query.queryExecution().executedPlan(), NativeKeylessAggregateExec.class))
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.nodeName()).isEqualTo("SpillwayHashAggregate");
              assertThat(node.withNewChildren(node.children())).isEqualTo(node);
              assertThat(node.verboseStringWithOperatorId()).contains("SpillwayHashAggregate");
            });
    assertThat(query.queryExecution().executedPlan().toString()).doesNotContain("Keyless");
    assertThat(query.queryExecution().toString()).contains("SpillwayHashAggregate");
  }

  /** The rows that come without a native operator, in their order. */
  private static void assertSameRowsInTheSameOrder(String sql) {
    List<String> expected = session.with(PlanSettings.ENABLED, "false", () -> rows(sql));
    assertThat(rows(sql)).as(sql).isEqualTo(expected);
  }

  private static List<String> rows(String sql) {
    return session.spark().sql(sql).collectAsList().stream().map(Row::toString).toList();
  }
}
