package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import java.io.IOException;
import net.bytebuddy.asm.Advice;

/** {@code spill.write}: throws before the frame is written. The seam declares IOException. */
public final class SpillWriteAdvice {
  private SpillWriteAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) throws IOException {
    Dispatcher.spillWrite(seam);
  }
}
