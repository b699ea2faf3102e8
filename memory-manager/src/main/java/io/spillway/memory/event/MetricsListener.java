package io.spillway.memory.event;

import com.codahale.metrics.MetricRegistry;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times events in a Dropwizard registry, such as the one that Spark gives a plugin; from
 * there they reach every sink of Spark, Prometheus and JMX among them. Thread-safe.
 *
 * <p>Names: {@code memory.pressure.<rung>}, {@code memory.granted.<rung>} (timer), {@code
 * memory.spill} (timer), {@code memory.spilledBytes}, {@code memory.retries.<rung>}, {@code
 * memory.denied} (timer), {@code memory.leaks}, {@code memory.leakedBytes}, {@code
 * memory.reclaims}, {@code memory.reclaimedBytes}, {@code memory.quarantines}, {@code
 * memory.quarantinedBytes} (of this moment), {@code memory.containerEpisodes}, {@code
 * memory.containerRefused} (timer, of episodes that are over).
 */
public final class MetricsListener implements MemoryEventListener {
  private final MetricRegistry registry;

  /**
   * All metrics exist from now on, at zero, so that a dashboard finds them before the first event.
   *
   * @param registry that they are registered in
   */
  public MetricsListener(MetricRegistry registry) {
    this.registry = registry;
    for (MemoryEvent.Rung rung : MemoryEvent.Rung.values()) {
      registry.counter(name("pressure", rung));
      registry.counter(name("retries", rung));
      registry.timer(name("granted", rung));
    }
    registry.timer("memory.spill");
    registry.timer("memory.denied");
    registry.counter("memory.spilledBytes");
    registry.counter("memory.leaks");
    registry.counter("memory.leakedBytes");
    registry.counter("memory.reclaims");
    registry.counter("memory.reclaimedBytes");
    registry.counter("memory.quarantines");
    registry.counter("memory.quarantinedBytes");
    registry.counter("memory.containerEpisodes");
    registry.timer("memory.containerRefused");
  }

  @Override
  public void onEvent(MemoryEvent event) {
    if (event instanceof MemoryEvent.Pressure pressure) {
      registry.counter(name("pressure", pressure.rung())).inc();
    } else if (event instanceof MemoryEvent.Granted granted) {
      time(name("granted", granted.rung()), granted.nanos());
    } else if (event instanceof MemoryEvent.Spilled spilled) {
      time("memory.spill", spilled.nanos());
      registry.counter("memory.spilledBytes").inc(spilled.freedBytes());
    } else if (event instanceof MemoryEvent.Retried retried) {
      registry.counter(name("retries", retried.rung())).inc();
    } else if (event instanceof MemoryEvent.Denied denied) {
      time("memory.denied", denied.nanos());
    } else if (event instanceof MemoryEvent.Leaked leaked) {
      registry.counter("memory.leaks").inc();
      registry.counter("memory.leakedBytes").inc(leaked.bytes());
    } else if (event instanceof MemoryEvent.Reclaimed reclaimed) {
      registry.counter("memory.reclaims").inc();
      registry.counter("memory.reclaimedBytes").inc(reclaimed.bytes());
    } else if (event instanceof MemoryEvent.Quarantined quarantined) {
      registry.counter("memory.quarantines").inc();
      registry.counter("memory.quarantinedBytes").inc(quarantined.bytes());
    } else if (event instanceof MemoryEvent.QuarantineEnded ended) {
      registry.counter("memory.quarantinedBytes").dec(ended.bytes());
    } else if (event instanceof MemoryEvent.ContainerPressure pressure) {
      container(pressure);
    }
  }

  private void container(MemoryEvent.ContainerPressure pressure) {
    if (pressure.refusing()) {
      registry.counter("memory.containerEpisodes").inc();
    } else {
      time("memory.containerRefused", pressure.nanos());
    }
  }

  private void time(String name, long nanos) {
    registry.timer(name).update(nanos, TimeUnit.NANOSECONDS);
  }

  private static String name(String what, MemoryEvent.Rung rung) {
    return "memory." + what + "." + rung.name().toLowerCase(Locale.ROOT);
  }
}
