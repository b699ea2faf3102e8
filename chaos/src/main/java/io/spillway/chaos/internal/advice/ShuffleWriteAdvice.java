package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code shuffle.write}: fails before anything is written. */
public final class ShuffleWriteAdvice {
  private ShuffleWriteAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.shuffleWrite(seam);
  }
}
