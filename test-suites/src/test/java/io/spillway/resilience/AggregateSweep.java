package io.spillway.resilience;

import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.testing.SpillwaySession;

/** Two partial aggregations that hand out early, and a final one that spills. */
@SweepOver(NativeHashAggregateExec.class)
@SpillwaySession(offHeap = "1m")
abstract class AggregateSweep extends OperatorSweep {
  @Override
  String query() {
    return """
        select k, sum(v) as s from (select id as v, id % 2500 as k from range(0, 2700, 1, 2))
        group by k
        """;
  }

  @Override
  long leftBytes() {
    return 312 << 10;
  }
}
