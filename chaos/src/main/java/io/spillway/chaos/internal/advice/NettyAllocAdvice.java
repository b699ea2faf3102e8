package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code netty.alloc}: fails before the buffer is taken. */
public final class NettyAllocAdvice {
  private NettyAllocAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.nettyAlloc(seam);
  }
}
