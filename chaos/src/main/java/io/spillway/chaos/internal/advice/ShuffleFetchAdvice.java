package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code shuffle.fetch}: fails before the block is taken, has it damaged as it is opened, or calls
 * it lost when it is there: which block it is is not known before.
 */
public final class ShuffleFetchAdvice {
  private ShuffleFetchAdvice() {}

  @Advice.OnMethodEnter
  static Object enter(@Advice.Origin Class<?> seam) {
    return Dispatcher.shuffleFetch(seam);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class)
  static void exit(
      @Advice.Enter Object firing,
      @Advice.This Object iterator,
      @Advice.FieldValue("currentResult") Object block,
      @Advice.Thrown Throwable thrown) {
    if (firing != null) {
      Dispatcher.shuffleFetched(firing, iterator, block, thrown);
    }
  }
}
