package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code task.batch} without Spillway: fails where the task asks whether it was killed. */
public final class TaskCheckAdvice {
  private TaskCheckAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.taskCheck(seam);
  }
}
