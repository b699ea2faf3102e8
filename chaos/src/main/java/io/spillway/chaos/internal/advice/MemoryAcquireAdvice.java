package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code memory.acquire}: lowers what Spark is asked for, so that Spark's books stay right and the
 * caller sees a short grant. The parameters are Object because the agent knows no type of Spark.
 */
public final class MemoryAcquireAdvice {
  private MemoryAcquireAdvice() {}

  /** False skips Spark's method, which then grants 0 bytes. */
  @Advice.OnMethodEnter(skipOn = Advice.OnDefaultValue.class)
  static boolean enter(
      @Advice.Origin Class<?> seam,
      @Advice.Argument(value = 0, readOnly = false) long requiredBytes,
      @Advice.Argument(1) Object consumer) {
    requiredBytes = Dispatcher.memoryAcquire(seam, requiredBytes, consumer);
    return requiredBytes != Dispatcher.REFUSED;
  }
}
