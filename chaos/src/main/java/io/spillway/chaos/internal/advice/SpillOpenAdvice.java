package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code spill.open}: fails before the file is created. */
public final class SpillOpenAdvice {
  private SpillOpenAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.spillOpen(seam);
  }
}
