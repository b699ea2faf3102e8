package io.spillway.resilience;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;
import org.junit.jupiter.api.Tag;

/** A failure at every call while a frame is cached and read, which spills nothing. */
@Tag("soak")
@FaultSweep(
    point = {
      FaultPoint.MEMORY_ACQUIRE,
      FaultPoint.NATIVE_ALLOC,
      FaultPoint.NATIVE_REGISTER,
      FaultPoint.KERNEL_CALL,
      FaultPoint.KERNEL_STATE,
      FaultPoint.SHUFFLE_WRITE,
      FaultPoint.SHUFFLE_FETCH,
      FaultPoint.TASK_START,
      FaultPoint.TASK_BATCH,
      FaultPoint.TASK_END,
      FaultPoint.ARROW_ALLOC
    },
    mode = {SweepMode.ONE_SHOT, SweepMode.PERSISTENT},
    fault = {
      "{short-grant: {share: 0}}",
      "{short-grant: {share: 0.5}}",
      "out-of-memory",
      "error",
      "exception",
      "kill",
      "fetch-failure",
      "damaged-block"
    },
    max = EveryFault.MOST)
class CacheSweepSoakTest extends CacheSweep {}
