package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code task.start}: fails before the task's body. */
public final class TaskStartAdvice {
  private TaskStartAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.taskStart(seam);
  }
}
