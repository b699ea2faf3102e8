package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code spill.flush}: fails before the segment is ended. */
public final class SpillFlushAdvice {
  private SpillFlushAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.spillFlush(seam);
  }
}
