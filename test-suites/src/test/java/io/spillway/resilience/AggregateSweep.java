package io.spillway.resilience;

import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.testing.ResilienceSuite;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Two partial aggregations that hand out early, and a final one that spills. */
@SweepOver(NativeHashAggregateExec.class)
@SpillwaySession(offHeap = "1m")
abstract class AggregateSweep extends ResilienceSuite {
  @Override
  protected Dataset<Row> job(SparkSession spark) {
    ScarceMemory.leave(224 << 10);
    return spark.sql(
        "select k, sum(v) as s from (select id as v, id % 1700 as k from range(0, 1900, 1, 2))"
            + " group by k");
  }
}
