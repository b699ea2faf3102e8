package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.breaker.BreakerSettings;
import io.spillway.plan.OperatorSwitch;
import java.time.Clock;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClusterGateTest {
  private final ExecutorsWithoutKernels without = new ExecutorsWithoutKernels();
  private final ClusterGate gate =
      new ClusterGate(without, new KindBreakers(BreakerSettings.DEFAULT, Clock.systemUTC()));

  @Test
  void shouldLetEverythingRunWhenEveryExecutorHasKernels() {
    assertThat(gate.refusalOfAll()).isEmpty();
    assertThat(gate.refusal(OperatorSwitch.SORT, OptionalLong.empty())).isEmpty();
  }

  @Test
  void shouldRefuseEverythingWhileAnExecutorWithoutKernelsLives() {
    without.add("2", "its folder is full");
    without.add("1", "no library for riscv64");
    assertThat(gate.refusalOfAll())
        .hasValue("executor 1 and 1 more cannot run native operators: no library for riscv64");

    without.lost("1");
    assertThat(gate.refusalOfAll())
        .hasValue("executor 2 cannot run native operators: its folder is full");

    without.lost("2");
    assertThat(gate.refusalOfAll()).isEmpty();
  }

  @Test
  void shouldRefuseNothingWhenTheExecutorWasGoneBeforeItsMessageCame() {
    without.lost("1");
    without.add("1", "no library");

    assertThat(gate.refusalOfAll()).isEmpty();
  }
}
