package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.event.MemoryEvent;
import org.junit.jupiter.api.Test;

/** Whatever a listener throws, or does to the memory that it hears of, nothing is lost. */
class HostileListenerTest {
  @Test
  void shouldGoOnWhenAListenerThrowsAnError() {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      fixture.tell(
          event -> {
            throw new NoClassDefFoundError("a class of the listener, says the test");
          });
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState state = new PagedState(() -> {}).open(memory, "HashAggregate");
      for (int i = 0; i < 8; i++) {
        state.grow(1 * MIB);
      }
      OperatorMemory scan = memory.operator("Scan", null);
      assertThat(scan.allocate(64 * KIB).size()).isEqualTo(64 * KIB);
      memory.operator("Project", null).allocate(4 * KIB);

      task.fail(new IllegalStateException("boom"));

      assertThat(state.spills()).isPositive();
      assertThat(fixture.heard(MemoryEvent.Spilled.class)).isNotEmpty();
      assertThat(fixture.heard(MemoryEvent.Reclaimed.class)).as("each operator").hasSize(3);
      assertThat(fixture.executor.snapshot()).returns(0L, MemorySnapshot::usedBytes);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldSayThatTheOperatorIsClosedWhenAListenerClosesItInTheMiddleOfAGrant() {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory idle = memory.operator("Sort", null);
      OperatorMemory scan = memory.operator("Scan", null);
      idle.allocate(3 * MIB + 512 * KIB);
      task.grants(asked -> fixture.heard(MemoryEvent.Pressure.class).isEmpty() ? 0 : asked);
      fixture.tell(
          event -> {
            if (event instanceof MemoryEvent.Granted) {
              scan.close();
            }
          });

      assertThatThrownBy(() -> scan.allocate(64 * KIB))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Scan")
          .hasMessageContaining("closed");

      assertThat(fixture.heard(MemoryEvent.Granted.class)).hasSize(1);
      assertThat(scan.usedBytes()).isZero();
      idle.close();
      task.complete();
      assertThat(fixture.executor.snapshot()).returns(0L, MemorySnapshot::usedBytes);
      assertThat(memory.arrowRoot().getAllocatedMemory()).isZero();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }
}
