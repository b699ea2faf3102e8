package io.spillway.resilience;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;

/** A disk that fails, or lies, under the file that the tasks of an executor share. */
@FaultSweep(
    point = {
      FaultPoint.SPILL_OPEN,
      FaultPoint.SPILL_WRITE,
      FaultPoint.SPILL_FLUSH,
      FaultPoint.SPILL_READ,
      FaultPoint.SPILL_DELETE,
      FaultPoint.SPILL_CLOSE
    },
    mode = {SweepMode.ONE_SHOT, SweepMode.PERSISTENT},
    fault = {"disk-full", "error", "short-write", "flipped-byte", "truncated-read", "interrupt"},
    max = 14)
class BroadcastFileSweepTest extends BroadcastJoinSweep {}
