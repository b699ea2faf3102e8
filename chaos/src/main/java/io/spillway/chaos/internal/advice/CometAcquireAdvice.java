package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code comet.acquire}: lowers what Spark is asked for, so that all books stay right. */
public final class CometAcquireAdvice {
  private CometAcquireAdvice() {}

  /** False skips the method, which then grants 0 bytes. */
  @Advice.OnMethodEnter(skipOn = Advice.OnDefaultValue.class)
  static boolean enter(
      @Advice.Origin Class<?> seam,
      @Advice.Argument(value = 0, readOnly = false) long requiredBytes) {
    requiredBytes = Dispatcher.cometAcquire(seam, requiredBytes);
    return requiredBytes != Dispatcher.REFUSED;
  }
}
