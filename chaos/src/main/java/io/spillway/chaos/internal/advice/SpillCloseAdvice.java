package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code spill.close}: fails when all is closed, so that the fault itself leaves nothing behind.
 */
public final class SpillCloseAdvice {
  private SpillCloseAdvice() {}

  @Advice.OnMethodExit
  static void exit(@Advice.Origin Class<?> seam) {
    Dispatcher.spillClose(seam);
  }
}
