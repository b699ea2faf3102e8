package io.spillway.resilience;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;

/** A failure at some calls while a frame is cached and read. */
@FaultSweep(
    point = {
      FaultPoint.MEMORY_ACQUIRE,
      FaultPoint.NATIVE_ALLOC,
      FaultPoint.KERNEL_CALL,
      FaultPoint.TASK_BATCH
    },
    mode = {SweepMode.ONE_SHOT, SweepMode.PERSISTENT},
    max = 8)
class CacheSweepTest extends CacheSweep {}
