package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts and texts of plans that have run. */
class PlanFiguresTest {
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

  @Test
  void shouldCountThroughStagesWhenAdaptiveExecutionRan() {
    Dataset<Row> query =
        session.spark().sql("select g, sum(price) as s from sales where k > 2 group by g");
    query.collectAsList();

    PlanFigures figures = PlanFigures.of(query.queryExecution().executedPlan());

    // Filter, projections, partial and final aggregate, the exchange between them; the scan is
    // Spark's.
    assertThat(figures.nativeOperators()).isBetween(4, 6);
    assertThat(figures.jvmOperators()).isEqualTo(1);
    assertThat(figures.transitions()).isEqualTo(1);
    assertThat(figures.peakNativeBytes()).isPositive();
    assertThat(figures.spilledBytes()).isZero();
  }

  @Test
  void shouldCountWhatIsBelowWhenAFrameIsCachedAndASubqueryRuns() {
    Dataset<Row> cached = session.spark().sql("select k, sum(id) as s from sales group by k");
    cached.cache();
    try {
      cached.createOrReplaceTempView("cached");
      Dataset<Row> query =
          session
              .spark()
              .sql("select s from cached where s > (select avg(id) from sales where k = 3)");
      query.collectAsList();

      String explained = Explain.of(query);

      // Two of the cached frame, two of the subquery.
      assertThat(explained.split("SpillwayHashAggregate", -1)).hasSize(5);
      assertThat(explained).containsPattern("native +SpillwayFilter .* > .*[Ss]ubquery");
    } finally {
      cached.unpersist();
    }
  }

  @Test
  void shouldExplainNothingNativeWhenThePlanIsSparks() {
    String explained = Explain.of(session.spark().sql("select upper('x') as u from range(3)"));

    assertThat(explained).startsWith("Spillway: 0 native operators, ");
    assertThat(explained).contains("JVM         Range");
  }

  @Test
  void shouldLogAsMuchAsTheSessionWants() {
    Dataset<Row> query = session.spark().sql("select soundex(g) from sales where k > 2");
    var plan = query.queryExecution().executedPlan();

    assertThat(Explain.forLog(plan, PlanSettings.ExplainLog.OFF)).isEmpty();
    assertThat(Explain.forLog(plan, PlanSettings.ExplainLog.FALLBACKS))
        .isEqualTo("Project: expression soundex");
    assertThat(Explain.forLog(plan, PlanSettings.ExplainLog.ALL)).isEqualTo(Explain.of(query));
  }
}
