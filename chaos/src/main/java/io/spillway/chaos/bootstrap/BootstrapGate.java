package io.spillway.chaos.bootstrap;

import java.util.function.LongConsumer;

/**
 * What instrumented classes of the JDK call. They see nothing of the agent, so this one class goes
 * onto the bootstrap class path, in a jar of its own, and hands the call on. Any thread.
 */
public final class BootstrapGate {
  /** Told the bytes of each direct buffer; null: nobody is. */
  public static volatile LongConsumer direct;

  /** Told the bytes of each block that {@code Unsafe} allocates; null: nobody is. */
  public static volatile LongConsumer unsafe;

  private BootstrapGate() {}

  /** A direct buffer is about to be reserved. What the consumer throws goes to the caller. */
  public static void direct(long bytes) {
    LongConsumer told = direct;
    if (told != null) {
      told.accept(bytes);
    }
  }

  /** A block is about to be allocated. What the consumer throws goes to the caller. */
  public static void unsafe(long bytes) {
    LongConsumer told = unsafe;
    if (told != null) {
      told.accept(bytes);
    }
  }
}
