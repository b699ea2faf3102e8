package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code spill.write}, below codec and cipher: damages the bytes of a frame that {@link
 * SpillWriteAdvice} has picked. Counts nothing.
 */
public final class SpillStoreAdvice {
  private SpillStoreAdvice() {}

  @Advice.OnMethodEnter
  static void enter(
      @Advice.This Object stream,
      @Advice.Argument(value = 0, readOnly = false) byte[] bytes,
      @Advice.Argument(1) int offset,
      @Advice.Argument(value = 2, readOnly = false) int length) {
    bytes = Dispatcher.spillStoredBytes(stream, bytes, offset, length);
    length = Dispatcher.spillStoredLength(stream, length);
  }
}
