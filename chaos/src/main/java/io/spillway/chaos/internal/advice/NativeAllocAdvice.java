package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code native.alloc}: throws before the block is taken, so that no block is lost. */
public final class NativeAllocAdvice {
  private NativeAllocAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam, @Advice.Argument(0) long bytes) {
    Dispatcher.nativeAlloc(seam, bytes);
  }
}
