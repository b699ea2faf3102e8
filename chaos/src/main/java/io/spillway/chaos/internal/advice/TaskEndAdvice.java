package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code task.end}: fails after the task's body, if that has ended well. */
public final class TaskEndAdvice {
  private TaskEndAdvice() {}

  @Advice.OnMethodExit
  static void exit(@Advice.Origin Class<?> seam) {
    Dispatcher.taskEnd(seam);
  }
}
