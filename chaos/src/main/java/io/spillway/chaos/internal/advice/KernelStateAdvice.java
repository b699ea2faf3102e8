package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code kernel.state}: fails before the kernel runs. */
public final class KernelStateAdvice {
  private KernelStateAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.kernelState(seam);
  }
}
