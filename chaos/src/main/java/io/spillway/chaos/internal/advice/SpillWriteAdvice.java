package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code spill.write}: fails before the frame is written, or has its stream damage it. */
public final class SpillWriteAdvice {
  private SpillWriteAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam, @Advice.FieldValue("output") Object stream) {
    Dispatcher.spillWrite(seam, stream);
  }
}
