package io.spillway.memory;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.function.LongSupplier;

/**
 * The figures of an executor's native memory as gauges: {@code memory.usedBytes}, {@code
 * memory.peakBytes}, {@code memory.blocks}, {@code memory.reservedBytes}, {@code memory.openTasks}.
 */
public final class MemoryGauges {
  private MemoryGauges() {}

  /**
   * Registers them.
   *
   * @param registry such as the one that Spark gives a plugin
   * @param executor that is read whenever a sink asks, on the sink's thread
   */
  public static void register(MetricRegistry registry, ExecutorMemory executor) {
    gauge(registry, "usedBytes", executor.ledger()::usedBytes);
    gauge(registry, "peakBytes", executor.ledger()::peakBytes);
    gauge(registry, "blocks", executor.ledger()::blocks);
    gauge(registry, "reservedBytes", executor::reservedBytes);
    gauge(registry, "openTasks", executor::openTasks);
  }

  private static void gauge(MetricRegistry registry, String name, LongSupplier figure) {
    Gauge<Long> gauge = figure::getAsLong;
    registry.register("memory." + name, gauge);
  }
}
