package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import java.io.InputStream;
import net.bytebuddy.asm.Advice;

/**
 * {@code shuffle.fetch}, below codec and cipher: damages the block that {@link ShuffleFetchAdvice}
 * has picked. Counts nothing.
 */
public final class ShuffleBlockAdvice {
  private ShuffleBlockAdvice() {}

  @Advice.OnMethodExit
  static void exit(@Advice.Return(readOnly = false) InputStream block) {
    block = Dispatcher.shuffleBlock(block);
  }
}
