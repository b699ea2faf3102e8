package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code spill.read}: fails before the bytes are read, reads none and says that the file ends, or
 * damages them when they have been read.
 */
public final class SpillReadAdvice {
  private SpillReadAdvice() {}

  /** True skips the read. */
  @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
  static boolean enter(@Advice.Origin Class<?> seam, @Advice.Local("damage") Object damage) {
    damage = Dispatcher.spillRead(seam);
    return Dispatcher.isTruncated(damage);
  }

  @Advice.OnMethodExit
  static void exit(
      @Advice.Enter boolean truncated,
      @Advice.Local("damage") Object damage,
      @Advice.Argument(0) byte[] bytes,
      @Advice.Argument(1) int offset,
      @Advice.Return(readOnly = false) int read) {
    if (truncated) {
      read = -1;
    } else if (damage != null) {
      Dispatcher.spillReadBytes(bytes, offset, read);
    }
  }
}
