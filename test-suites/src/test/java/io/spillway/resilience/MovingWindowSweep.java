package io.spillway.resilience;

import io.spillway.operator.NativeWindowExec;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;

/**
 * Rows beside the row, and sums of frames that move, over partitions of which one does not fit into
 * memory; its rows are read back from several places.
 */
@SweepOver(NativeWindowExec.class)
@SpillwaySession(offHeap = "1m")
abstract class MovingWindowSweep extends OperatorSweep {
  @Override
  void prepare(SparkSession spark) {
    cacheNumbers(spark, 1307);
  }

  @Override
  String query() {
    return """
        select g, v, k,
          lag(t, 2, 'none') over (partition by g order by v) as before,
          sum(k) over (partition by g order by v rows between 30 preceding and 3 following) as around
        from (select if(v < 980, 0, v div 50) as g, v, k, concat('the text of row ', v) as t
              from numbers)
        """;
  }

  @Override
  long leftBytes() {
    return 448 << 10;
  }
}
