package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SliceSizeTest {
  @Test
  void shouldStayAtWhatFittedForAWhileAndGrowAgain() {
    SliceSize size = new SliceSize(4096);
    assertThat(size.next(10_000)).isEqualTo(4096);
    assertThat(size.next(100)).isEqualTo(100);

    assertThat(size.half(size.half(4096))).isEqualTo(1024);

    for (int i = 0; i < 32; i++) {
      assertThat(size.next(10_000)).as("slice %d", i).isEqualTo(1024);
      size.loaded();
    }
    assertThat(size.next(10_000)).isEqualTo(2048);
    for (int i = 0; i < 64; i++) {
      size.loaded();
    }
    assertThat(size.next(10_000)).as("no more than the most").isEqualTo(4096);
  }

  @Test
  void shouldCountTheWhileAnewWhenItWasTooMuchAgain() {
    SliceSize size = new SliceSize(8);
    size.half(8);
    for (int i = 0; i < 31; i++) {
      size.loaded();
    }
    size.half(4);
    size.loaded();

    assertThat(size.next(8)).isEqualTo(2);
  }
}
