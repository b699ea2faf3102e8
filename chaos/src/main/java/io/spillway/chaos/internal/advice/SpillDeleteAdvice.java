package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code spill.delete}: fails when the file is gone, so that the fault itself leaves nothing
 * behind.
 */
public final class SpillDeleteAdvice {
  private SpillDeleteAdvice() {}

  @Advice.OnMethodExit
  static void exit(@Advice.Origin Class<?> seam) {
    Dispatcher.spillDelete(seam);
  }
}
