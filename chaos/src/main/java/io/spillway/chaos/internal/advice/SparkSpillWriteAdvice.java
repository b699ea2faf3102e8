package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code spill.write} in Spark's sorters: fails before the row is written. */
public final class SparkSpillWriteAdvice {
  private SparkSpillWriteAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.sparkSpillWrite(seam);
  }
}
