package io.spillway.resilience;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A sample of the calls of each point, operator and stage, with the gravest fault. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@FaultSweep(
    point = {
      FaultPoint.MEMORY_ACQUIRE,
      FaultPoint.NATIVE_ALLOC,
      FaultPoint.NATIVE_REGISTER,
      FaultPoint.KERNEL_CALL,
      FaultPoint.KERNEL_STATE,
      FaultPoint.SPILL_OPEN,
      FaultPoint.SPILL_WRITE,
      FaultPoint.SPILL_FLUSH,
      FaultPoint.SPILL_READ,
      FaultPoint.SPILL_DELETE,
      FaultPoint.SPILL_CLOSE,
      FaultPoint.SHUFFLE_WRITE,
      FaultPoint.SHUFFLE_FETCH,
      FaultPoint.TASK_START,
      FaultPoint.TASK_BATCH,
      FaultPoint.TASK_END,
      FaultPoint.ARROW_ALLOC
    },
    mode = {SweepMode.ONE_SHOT, SweepMode.PERSISTENT},
    max = 15)
@interface SampleOfFaults {}
