package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutorMessageTest {
  private static final ExecutorMessage.Snapshot SNAPSHOT =
      new ExecutorMessage.Snapshot(
          7, new ExecutorReport("3", 1, 2, 6, 3, 4, 5, List.of("task 1 / Sort 1 bytes"), true));

  @Test
  void shouldComeBackTheSameWhenSentAsTypesOfTheJdk() {
    ExecutorMessage.Ready ready = new ExecutorMessage.Ready("2", 1L << 40, 8, "no library");

    assertThat(ExecutorMessage.parse(ready.toWire())).isEqualTo(ready);
    assertThat(ExecutorMessage.parse(SNAPSHOT.toWire())).isEqualTo(SNAPSHOT);
    assertThat(SNAPSHOT.toWire().values())
        .allSatisfy(value -> assertThat(value.getClass().getName()).startsWith("java."));
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
