package io.spillway.resilience;

import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;

/** Rows that go to their partitions in turn, after a sort that does not fit. */
@SweepOver(SpillwayShuffleExchangeExec.class)
@SpillwaySession(offHeap = "1m")
abstract class InTurnSweep extends OperatorSweep {
  @Override
  void prepare(SparkSession spark) {
    cacheNumbers(spark, 8007);
  }

  @Override
  String query() {
    return "select /*+ repartition(3) */ v, k, concat('row ', v % 1000) as t from numbers";
  }

  @Override
  long leftBytes() {
    return 400 << 10;
  }
}
