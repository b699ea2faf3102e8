package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code shuffle.fetch}: fails before the block is taken. */
public final class ShuffleFetchAdvice {
  private ShuffleFetchAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.shuffleFetch(seam);
  }
}
