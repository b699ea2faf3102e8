package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code memory.page}: fails before the page is taken. */
public final class MemoryPageAdvice {
  private MemoryPageAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.memoryPage(seam);
  }
}
