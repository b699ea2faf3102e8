package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/**
 * {@code native.register}: fails in the constructor of the ledger's entry, when the block is there
 * and the entry is not; no lock is held at that moment.
 */
public final class NativeRegisterAdvice {
  private NativeRegisterAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam, @Advice.Argument(0) Object operator) {
    Dispatcher.nativeRegister(seam, operator);
  }
}
