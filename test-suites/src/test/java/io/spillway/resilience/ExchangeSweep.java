package io.spillway.resilience;

import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;

/** Groups of strings on their way to the final aggregation, in little room for strings. */
@SweepOver(SpillwayShuffleExchangeExec.class)
@SpillwaySession(offHeap = "1m")
abstract class ExchangeSweep extends OperatorSweep {
  @Override
  String query() {
    return """
        select t, sum(v) as s
        from (select id as v, concat('the text of ', id % 1500) as t from range(0, 1700, 1, 2))
        group by t
        """;
  }

  @Override
  long leftBytes() {
    return 344 << 10;
  }
}
