package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code spill.read} in Spark's sorters: fails before the row is read. */
public final class SparkSpillReadAdvice {
  private SparkSpillReadAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.sparkSpillRead(seam);
  }
}
