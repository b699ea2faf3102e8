package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code task.batch}: throws before the operator starts its batch. */
public final class TaskBatchAdvice {
  private TaskBatchAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam, @Advice.This Object operator) {
    Dispatcher.taskBatch(seam, operator);
  }
}
