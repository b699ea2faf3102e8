package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code executor.exit}: ends the process before a Spillway operator's batch. */
public final class ExecutorBatchAdvice {
  private ExecutorBatchAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.executorBatch(seam);
  }
}
