package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code executor.exit} without Spillway: ends the process where a task asks whether it was killed.
 */
public final class ExecutorCheckAdvice {
  private ExecutorCheckAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.executorCheck(seam);
  }
}
