package io.spillway.chaos.internal.advice;

import io.spillway.chaos.bootstrap.BootstrapGate;
import net.bytebuddy.asm.Advice;

/**
 * {@code jdk.direct}: fails before anything is reserved. The JDK sees the gate and nothing else.
 */
public final class JdkDirectAdvice {
  private JdkDirectAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Argument(0) long bytes) {
    BootstrapGate.direct(bytes);
  }
}
