package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.TaskObservation;
import net.bytebuddy.asm.Advice;

/** No point: notes for the report that a task's body starts. */
public final class TaskObserverAdvice {
  private TaskObserverAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    TaskObservation.taskStarted(seam);
  }
}
