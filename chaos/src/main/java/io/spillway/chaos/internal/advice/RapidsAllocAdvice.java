package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code rapids.alloc}: fails before the block is taken. */
public final class RapidsAllocAdvice {
  private RapidsAllocAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.rapidsAlloc(seam);
  }
}
