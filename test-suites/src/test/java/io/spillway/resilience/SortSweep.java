package io.spillway.resilience;

import io.spillway.operator.NativeSortExec;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;

/**
 * A global order: rows go to ranges, and each range is sorted in runs on disk. The place of each
 * row is in the result. All rows are in the sample that makes the ranges, so that these, and with
 * them the calls of each task, are the same each time.
 */
@SweepOver(NativeSortExec.class)
@SpillwaySession(
    offHeap = "1m",
    conf = {
      "spark.sql.adaptive.coalescePartitions.enabled=false",
      "spark.sql.execution.rangeExchange.sampleSizePerPartition=10000"
    })
abstract class SortSweep extends OperatorSweep {
  @Override
  void prepare(SparkSession spark) {
    cacheNumbers(spark, 8007);
  }

  @Override
  String query() {
    return """
        select monotonically_increasing_id() as place, *
        from (select v, k, concat('row ', v) as t from numbers order by k desc)
        """;
  }

  @Override
  long leftBytes() {
    return 296 << 10;
  }
}
