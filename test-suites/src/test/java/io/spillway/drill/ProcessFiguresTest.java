package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcessFiguresTest {
  @Test
  void shouldCountWhatTheJvmHoldsButNotWhatItCompilesWith() {
    String summary =
        """
        Total: reserved=2914680KB, committed=1000KB
        -                 Java Heap (reserved=800KB, committed=800KB)
        -                  Compiler (reserved=30KB, committed=20KB)
        -               Arena Chunk (reserved=5KB, committed=5KB)
        -                      Code (reserved=90KB, committed=80KB)
        """;

    assertThat(ProcessFigures.accounted(summary)).isEqualTo((1000 - 20 - 5) * 1024);
  }

  @Test
  void shouldSayHowToTurnTrackingOnWhenItIsOff() {
    assertThatThrownBy(() -> ProcessFigures.accounted("Native memory tracking is not enabled"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("-XX:NativeMemoryTracking=summary");
  }
}
