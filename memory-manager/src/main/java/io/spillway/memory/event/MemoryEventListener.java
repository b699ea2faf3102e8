package io.spillway.memory.event;

/** Hears what happens to native memory. */
@FunctionalInterface
public interface MemoryEventListener {
  /** A listener that hears nothing. */
  MemoryEventListener NONE = event -> {};

  /**
   * Told of one event, on the thread that caused it. Spark's {@code TaskMemoryManager} lock may be
   * held, so it must return quickly and must not ask Spark for memory. What it throws is logged and
   * dropped.
   *
   * @param event what happened
   */
  void onEvent(MemoryEvent event);
}
