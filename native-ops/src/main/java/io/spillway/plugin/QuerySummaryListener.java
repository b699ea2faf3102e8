package io.spillway.plugin;

import io.spillway.plan.Explain;
import io.spillway.plan.PlanFigures;
import io.spillway.plan.PlanSettings;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.util.QueryExecutionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line a query when it has ended, and as much of its plan as the session wants. Called by
 * Spark's listener bus on the driver, on a thread of its own.
 */
public final class QuerySummaryListener implements QueryExecutionListener {
  private static final Logger LOG = LoggerFactory.getLogger(QuerySummaryListener.class);

  @Override
  public void onSuccess(String action, QueryExecution query, long durationNanos) {
    log(query, action + " took " + durationNanos / 1_000_000 + " ms");
  }

  @Override
  public void onFailure(String action, QueryExecution query, Exception exception) {
    log(query, action + " failed (" + exception.getClass().getSimpleName() + ")");
  }

  private static void log(QueryExecution query, String outcome) {
    SparkPlan plan;
    try {
      plan = query.executedPlan();
    } catch (Exception e) {
      // Not only what is unchecked: Scala throws AnalysisException without declaring it. A query
      // that could not be planned has no figures; Spark reports its failure itself.
      LOG.info("Query {} before it was planned", outcome);
      return;
    }
    PlanFigures figures = PlanFigures.of(plan);
    LOG.info(
        "Query {}: {} native operators, {} on the JVM, {} transitions, {} bytes spilled, peak {}"
            + " bytes of native memory",
        outcome,
        figures.nativeOperators(),
        figures.jvmOperators(),
        figures.transitions(),
        figures.spilledBytes(),
        figures.peakNativeBytes());
    String explained =
        Explain.forLog(plan, PlanSettings.explainLog(query.sparkSession().sessionState().conf()));
    if (!explained.isEmpty()) {
      LOG.info("Plan of the query:\n{}", explained);
    }
  }
}
