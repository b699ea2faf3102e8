package io.spillway.chaos.internal.advice;

import io.spillway.chaos.internal.dispatch.Dispatcher;
import net.bytebuddy.asm.Advice;

/** {@code plugin.rpc}: fails before the message is sent, or does not send it. */
public final class PluginSendAdvice {
  private PluginSendAdvice() {}

  /** True skips the sending. */
  @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
  static boolean enter(@Advice.Origin Class<?> seam) {
    return Dispatcher.pluginSend(seam);
  }
}
