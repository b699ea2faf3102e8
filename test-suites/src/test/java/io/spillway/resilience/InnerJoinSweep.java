package io.spillway.resilience;

import io.spillway.operator.NativeShuffledHashJoinExec;
import io.spillway.testing.SpillwaySession;

/** Keys that repeat on both sides, and a build side that spills with its probe rows. */
@SweepOver(NativeShuffledHashJoinExec.class)
@SpillwaySession(offHeap = "1m", conf = "spark.sql.autoBroadcastJoinThreshold=-1")
abstract class InnerJoinSweep extends OperatorSweep {
  @Override
  String query() {
    return """
        select /*+ shuffle_hash(y) */ x.k, x.v, y.w
        from (select id as v, id % 60 as k from range(0, 150, 1, 2)) x
        join (select id as w, id % 700 as k from range(0, 1400, 1, 2)) y on x.k = y.k
        """;
  }

  @Override
  long leftBytes() {
    return 304 << 10;
  }
}
