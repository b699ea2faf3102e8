package io.spillway.testing;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;

/**
 * The whole sweep over one job: extend it, say what the job is, and every call that it makes at a
 * fault point fails once, and once for good. {@link FaultSweep} and {@link SpillwaySession} on the
 * class change points, number of calls and Spark.
 */
@Tag("chaos")
public abstract class ResilienceSuite {

  /** For subclasses. */
  protected ResilienceSuite() {}

  /**
   * The job. It is called for each run anew and must come to the same rows each time.
   *
   * @param spark the managed session
   * @return a query that has not run yet
   */
  protected abstract Dataset<Row> job(SparkSession spark) throws Exception;

  /**
   * Whether the rows must come in the same order each time. Only for a job that orders them by
   * something that no two rows share.
   */
  protected boolean isOrdered() {
    return false;
  }

  /** One run of the job, with or without a fault. */
  @FaultSweep(mode = {SweepMode.ONE_SHOT, SweepMode.PERSISTENT})
  public void shouldSurviveEveryFault(SparkSession spark, FaultReport report) throws Exception {
    Dataset<Row> rows = job(spark);
    if (isOrdered()) {
      report.orderedResult(rows);
    } else {
      report.result(rows);
    }
  }
}
