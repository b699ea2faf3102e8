package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WithoutMemoryTest {
  @Test
  void shouldSayWhyWhenAnExecutorHasNoKernels() {
    assertThat(OperatorContext.withoutMemory("SpillwaySort", "the folder is full"))
        .isEqualTo("SpillwaySort cannot run in this executor: the folder is full");
  }

  @Test
  void shouldSayWhatToSetWhenTheExecutorHasKernelsAndNoPlugin() {
    assertThat(OperatorContext.withoutMemory("SpillwaySort", null))
        .contains("SpillwaySort has no memory", "spark.plugins=io.spillway.SpillwayPlugin");
  }
}
