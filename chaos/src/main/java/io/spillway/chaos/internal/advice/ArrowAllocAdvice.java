package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code arrow.alloc}: fails before anything is charged or taken. */
public final class ArrowAllocAdvice {
  private ArrowAllocAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.arrowAlloc(seam);
  }
}
