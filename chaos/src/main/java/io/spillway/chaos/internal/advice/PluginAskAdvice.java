package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code plugin.rpc}: fails before the driver is asked. */
public final class PluginAskAdvice {
  private PluginAskAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Origin Class<?> seam) {
    Dispatcher.pluginAsk(seam);
  }
}
