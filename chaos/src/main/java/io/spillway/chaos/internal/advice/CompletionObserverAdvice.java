package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.TaskObservation;
import net.bytebuddy.asm.Advice;

/** No point: tells that a task's body has ended and that only its clean-up still runs. */
public final class CompletionObserverAdvice {
  private CompletionObserverAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.This Object context) {
    TaskObservation.taskCompleting(context);
  }
}
