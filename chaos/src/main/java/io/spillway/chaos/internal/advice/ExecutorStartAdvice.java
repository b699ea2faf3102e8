package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code executor.exit}: ends the process before a task's body. */
public final class ExecutorStartAdvice {
  private ExecutorStartAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.executorStart(seam);
  }
}
