package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.OperatorFailure;
import io.spillway.memory.guard.GuardStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutorMessageTest {
  private static final GuardStatus GUARD =
      new GuardStatus(GuardStatus.Phase.REFUSING, "", "/pod", 900, 1000, 800, 2);
  private static final ExecutorMessage.Snapshot SNAPSHOT =
      new ExecutorMessage.Snapshot(
          7,
          new ExecutorReport("3", 1, 2, 6, 3, 4, 5, List.of("task 1 / Sort 1 bytes"), GUARD, true));

  @Test
  void shouldComeBackTheSameWhenSentAsTypesOfTheJdk() {
    ExecutorMessage.Ready ready = new ExecutorMessage.Ready("2", 1L << 40, 8, "no library");

    assertThat(ExecutorMessage.parse(ready.toWire())).isEqualTo(ready);
    assertThat(ExecutorMessage.parse(SNAPSHOT.toWire())).isEqualTo(SNAPSHOT);
    ExecutorMessage.Queries queries = new ExecutorMessage.Queries("2", List.of("7", "8"));
    assertThat(ExecutorMessage.parse(queries.toWire())).isEqualTo(queries);
    ExecutorMessage.Failed failed =
        new ExecutorMessage.Failed("2", new OperatorFailure("Sort", 7, 1, "no memory"));
    assertThat(ExecutorMessage.parse(failed.toWire())).isEqualTo(failed);
    assertThat(SNAPSHOT.toWire().values())
        .allSatisfy(value -> assertThat(value.getClass().getName()).startsWith("java."));
    assertThat(((Map<?, ?>) SNAPSHOT.toWire().get("guard")).values())
        .allSatisfy(value -> assertThat(value.getClass().getName()).startsWith("java."));
  }

  @Test
  void shouldKnowEveryPhaseOfTheGuardAndNameAnother() {
    for (GuardStatus.Phase phase : GuardStatus.Phase.values()) {
      GuardStatus guard = new GuardStatus(phase, "why", "", 0, Long.MAX_VALUE, -1, 0);
      ExecutorMessage.Snapshot sent =
          new ExecutorMessage.Snapshot(
              1, new ExecutorReport("1", 0, 0, 0, 0, 0, 0, List.of(), guard, false));
      assertThat(ExecutorMessage.parse(sent.toWire())).isEqualTo(sent);
    }
    Map<String, Object> wire = new HashMap<>(SNAPSHOT.toWire());
    Map<Object, Object> guard = new HashMap<>((Map<?, ?>) wire.get("guard"));
    guard.put("phase", "ASLEEP");
    wire.put("guard", guard);
    assertThatThrownBy(() -> ExecutorMessage.parse(wire))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ASLEEP");
  }

  @Test
  void shouldRefuseWithAReasonWhenAMessageIsUnknown() {
    assertThatThrownBy(() -> ExecutorMessage.parse("hello"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.String");
    assertThatThrownBy(() -> ExecutorMessage.parse(null)).hasMessageContaining("null");
    assertThatThrownBy(() -> ExecutorMessage.parse(Map.of("type", "dance")))
        .hasMessageContaining("dance");
    assertThatThrownBy(() -> new SpillwayDriverPlugin().receive(42))
        .isExactlyInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNameTheFieldWhenOneIsMissingOrWrong() {
    Map<String, Object> missing = new HashMap<>(SNAPSHOT.toWire());
    missing.remove("peakBytes");
    Map<String, Object> wrong = new HashMap<>(SNAPSHOT.toWire());
    wrong.put("owners", "nobody");

    assertThatThrownBy(() -> ExecutorMessage.parse(missing)).hasMessageContaining("peakBytes");
    assertThatThrownBy(() -> ExecutorMessage.parse(wrong)).hasMessageContaining("owners");
  }
}
