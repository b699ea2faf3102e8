package io.spillway.resilience;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Every call of every point, with every fault that does not only wait. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("soak")
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
    fault = {
      "{short-grant: {share: 0}}",
      "{short-grant: {share: 0.5}}",
      "out-of-memory",
      "error",
      "exception",
      "kill",
      "disk-full",
      "short-write",
      "flipped-byte",
      "truncated-read",
      "interrupt",
      "fetch-failure",
      "damaged-block"
    },
    max = EveryFault.MOST)
@interface EveryFault {
  /** No sweep has more, which {@link OperatorSweep} asserts in every build. */
  int MOST = 7500;
}
