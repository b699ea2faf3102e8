package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartialTableLimitTest {
  private static final long LARGE = 32 << 20;

  private final PartialTableLimit limit = new PartialTableLimit(LARGE);

  @Test
  void shouldStayLargeWhileKeysRepeat() {
    assertThat(limit.bytes()).isEqualTo(LARGE);
    limit.full(1000, 700);
    assertThat(limit.bytes()).isEqualTo(LARGE);
  }

  @Test
  void shouldBecomeSmallWhenKeysHardlyRepeatAndTryALargeTableNowAndThen() {
    limit.full(1000, 990);
    for (int table = 0; table < PartialTableLimit.SMALL_TABLES_IN_A_ROW; table++) {
      assertThat(limit.bytes()).as("table %d", table).isEqualTo(PartialTableLimit.SMALL_BYTES);
      limit.full(10, 10);
    }
    assertThat(limit.bytes()).isEqualTo(LARGE);
    limit.full(1000, 990);
    assertThat(limit.bytes()).isEqualTo(PartialTableLimit.SMALL_BYTES);
  }

  @Test
  void shouldBecomeLargeAgainAsSoonAsKeysRepeat() {
    limit.full(1000, 1000);
    limit.full(10, 5);
    assertThat(limit.bytes()).isEqualTo(LARGE);
  }

  @Test
  void shouldNeverExceedWhatATaskMayHave() {
    PartialTableLimit starved = new PartialTableLimit(64 << 10);
    starved.full(10, 10);
    assertThat(starved.bytes()).isEqualTo(64 << 10);
  }
}
