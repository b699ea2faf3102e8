package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code kernel.call}: fails before the kernel runs. */
public final class KernelCallAdvice {
  private KernelCallAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.kernelCall(seam);
  }
}
