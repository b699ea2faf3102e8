package io.spillway.chaos.internal.advice;

import io.spillway.chaos.bootstrap.BootstrapGate;
import net.bytebuddy.asm.Advice;

/** {@code jdk.unsafe}: fails before the block is taken. The JDK sees the gate and nothing else. */
public final class JdkUnsafeAdvice {
  private JdkUnsafeAdvice() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.Argument(0) long bytes) {
    BootstrapGate.unsafe(bytes);
  }
}
