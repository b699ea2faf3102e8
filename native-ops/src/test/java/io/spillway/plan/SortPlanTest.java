package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.NativeOperator;
import io.spillway.operator.NativeSortExec;
import java.nio.file.Path;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sorts are native, and why others are not. */
class SortPlanTest {
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

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldSortNativelyAndKeepTheOrderWhenTheScanIsColumnar(String aqe) {
    session.with(
        "spark.sql.adaptive.enabled",
        aqe,
        () -> {
          SparkPlan plan = plan("select * from sales sort by price desc nulls last, k + 1");
          assertThat(PlanSession.nodes(plan, SortExec.class)).isEmpty();
          assertThat(PlanSession.nodes(plan, NativeSortExec.class))
              .singleElement()
              .satisfies(
                  sort -> {
                    assertThat(sort.outputOrdering().size()).isEqualTo(2);
                    assertThat(plan.outputOrdering()).isEqualTo(sort.outputOrdering());
                  });
          return null;
        });
  }

  @Test
  void shouldSortNativelyWhenTheInputIsANativeAggregate() {
    SparkPlan plan = plan("select k, sum(id) as s from sales group by k sort by s");

    assertThat(PlanSession.nodes(plan, NativeSortExec.class)).hasSize(1);
  }

  @Test
  void shouldStayOnTheJvmWhenRowsComeInAndRowsGoOut() {
    SparkPlan plan = plan("select id from range(100) order by id desc");

    assertThat(PlanSession.nodes(plan, NativeOperator.class)).isEmpty();
    assertThat(PlanSession.nodes(plan, SortExec.class))
        .singleElement()
        .satisfies(
            sort -> assertThat(FallbackReasons.of(sort)).contains(NativeRules.TRANSITION_COST));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, array(id) as a from sales sort by id|column a has type array<bigint>",
        "select id from sales sort by rand()|non-deterministic expression rand",
        "select id, g from sales sort by soundex(g)|expression soundex"
      })
  void shouldSayWhyWhenASortIsNotSupported(String sqlAndReason) {
    String[] parts = sqlAndReason.split("\\|", 2);

    assertThat(Explain.of(session.spark().sql(parts[0]))).contains(parts[1]);
  }

  @Test
  void shouldNameTheSwitchWhenSortsAreSwitchedOff() {
    String explained =
        session.with(
            OperatorSwitch.SORT.key(),
            "false",
            () -> Explain.of(session.spark().sql("select * from sales sort by k")));

    assertThat(explained).contains("(spark.spillway.operator.sort.enabled is false)");
  }
}
