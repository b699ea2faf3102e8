package io.spillway.resilience;

import io.spillway.operator.NativeBroadcastHashJoinExec;
import io.spillway.testing.SpillwaySession;

/**
 * A broadcast table that does not fit beside the tasks: one of them writes it, and all join it part
 * by part.
 */
@SweepOver(NativeBroadcastHashJoinExec.class)
@SpillwaySession(offHeap = "1m")
abstract class BroadcastJoinSweep extends OperatorSweep {
  @Override
  String query() {
    return """
        select /*+ broadcast(y) */ x.k, x.v, y.w
        from (select id as v, id % 300 as k from range(0, 60, 1, 2)) x
        join (select id as w, id % 1100 as k from range(0, 2200, 1, 2)) y on x.k = y.k
        distribute by y.w
        """;
  }

  @Override
  long leftBytes() {
    return 432 << 10;
  }
}
