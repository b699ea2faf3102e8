package io.spillway.memory.event;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one. What one of them throws is logged and keeps no other from hearing. */
public final class Listeners implements MemoryEventListener {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final List<MemoryEventListener> listeners;

  /**
   * Told in this order.
   *
   * @param listeners each as thread-safe as it is used
   */
  public Listeners(List<MemoryEventListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void onEvent(MemoryEvent event) {
    for (MemoryEventListener listener : listeners) {
      try {
        listener.onEvent(event);
      } catch (Throwable t) {
        LOG.warn("A memory event listener failed on {}", event, t);
      }
    }
  }
}
