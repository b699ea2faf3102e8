package io.spillway.memory;

import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;

class GaugesTest {
  private static long value(MetricRegistry registry, String name) {
    return (Long) registry.getGauges().get("memory." + name).getValue();
  }

  @Test
  void shouldShowWhatIsHeldNow() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      MetricRegistry registry = new MetricRegistry();
      MemoryGauges.register(registry, fixture.executor);
      SparkTask task = fixture.task();
      OperatorMemory scan = fixture.executor.openTask(task.context()).operator("Scan", null);

      scan.allocate(100_000);

      assertThat(value(registry, "usedBytes")).isEqualTo(102_400);
      assertThat(value(registry, "blocks")).isEqualTo(1);
      assertThat(value(registry, "reservedBytes")).isEqualTo(fixture.sparkBytes());
      assertThat(value(registry, "openTasks")).isEqualTo(1);
      scan.close();
      task.complete();
      assertThat(value(registry, "usedBytes")).isZero();
      assertThat(value(registry, "peakBytes")).isEqualTo(102_400);
      assertThat(value(registry, "openTasks")).isZero();
    }
  }
}
