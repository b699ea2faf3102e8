package io.spillway.resilience;

import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;

/** A frame that is cached as columns, and read as such, anew each time. */
@SweepOver(NativeHashAggregateExec.class)
@SpillwaySession(offHeap = "1m")
abstract class CacheSweep extends OperatorSweep {
  @Override
  void prepare(SparkSession spark) {
    spark.catalog().clearCache();
    spark
        .sql(
            "select id as v, id % 7 as k, concat('the text of number ', id) as t"
                + " from range(0, 2900, 1, 2)")
        .createOrReplaceTempView("kept");
    spark.sql("cache lazy table kept");
  }

  @Override
  String query() {
    return "select k, count(*), sum(v), max(t) from kept where v > 5 group by k";
  }

  @Override
  long leftBytes() {
    return 512 << 10;
  }
}
