package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.TaskObservation;
import net.bytebuddy.asm.Advice;

/** No point: notes for the report what a task's attempt still holds when Spark cleans up. */
public final class CleanUpObserverAdvice {
  private CleanUpObserverAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.This Object manager) {
    TaskObservation.taskCleanedUp(manager);
  }
}
