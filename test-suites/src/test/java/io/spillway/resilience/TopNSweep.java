package io.spillway.resilience;

import io.spillway.operator.NativeTopNExec;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;

/**
 * The first rows of each partition, so many that they are sorted in runs on disk: of one partition
 * some are left behind, of the other all are read.
 */
@SweepOver(NativeTopNExec.class)
@SpillwaySession(offHeap = "1m")
abstract class TopNSweep extends OperatorSweep {
  @Override
  void prepare(SparkSession spark) {
    cacheNumbers(spark, 8007);
  }

  @Override
  String query() {
    return """
        select monotonically_increasing_id() as place, * from (
          select v, k, concat('row ', v) as t from numbers where v < 6400
          order by k desc limit 2500)
        """;
  }

  @Override
  long leftBytes() {
    return 256 << 10;
  }
}
