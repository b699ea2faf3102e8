package io.spillway.resilience;

import io.spillway.operator.NativeWindowExec;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;

/**
 * Ranks, running sums and figures of whole partitions, of which one does not fit into memory and
 * others share pages.
 */
@SweepOver(NativeWindowExec.class)
@SpillwaySession(offHeap = "1m")
abstract class WindowSweep extends OperatorSweep {
  @Override
  void prepare(SparkSession spark) {
    cacheNumbers(spark, 1707);
  }

  @Override
  String query() {
    return """
        select g, v, k,
          row_number() over (partition by g order by v) as place,
          sum(k) over (partition by g order by v) as so_far,
          count(*) over (partition by g) as size
        from (select if(v < 1500, 0, v div 20) as g, v, k from numbers)
        """;
  }

  @Override
  long leftBytes() {
    return 512 << 10;
  }
}
