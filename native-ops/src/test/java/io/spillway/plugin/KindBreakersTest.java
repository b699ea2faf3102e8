package io.spillway.plugin;

import static io.spillway.plan.OperatorSwitch.HASH_AGGREGATE;
import static io.spillway.plan.OperatorSwitch.SORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.breaker.BreakerSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may try a kind again, and what becomes of it. */
class KindBreakersTest {
  private static final OptionalLong NO_QUERY = OptionalLong.empty();

  private static final Duration OPEN_FOR = Duration.ofSeconds(20);

  private final TestClock clock = new TestClock();
  private final KindBreakers breakers =
      new KindBreakers(new BreakerSettings(4, 2, 50, OPEN_FOR, 2, Duration.ofMinutes(10)), clock);

  private static final class TestClock extends Clock {
    private Instant now = Instant.parse("2026-12-01T00:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeEach
  void openOne() {
    breakers.failed(SORT, query(1), "first");
    breakers.failed(SORT, query(2), "no memory for the sort");
    assertThat(breakers.notClosed()).isEqualTo(1);
  }

  @Test
  void shouldSayWhyAndLeaveOtherKindsAloneWhenOneIsOpen() {
    assertThat(breakers.refusal(HASH_AGGREGATE, NO_QUERY)).isEmpty();
    assertThat(breakers.refusal(SORT, query(3)))
        .hasValueSatisfying(
            reason ->
                assertThat(reason)
                    .contains("native sort has failed too often")
                    .contains("spark.spillway.breaker.enabled")
                    .contains("no memory for the sort"));
  }

  @Test
  void shouldLetAQueryTryAsOftenAsItIsPlannedAndNoMoreThanTwoOfThem() {
    passTime();
    assertThat(breakers.refusal(SORT, query(10))).isEmpty();

    // Adaptive execution plans a query again and again.
    assertThat(breakers.refusal(SORT, query(10))).isEmpty();
    assertThat(breakers.refusal(SORT, query(10))).isEmpty();
    assertThat(breakers.refusal(SORT, query(11))).isEmpty();
    assertThat(breakers.refusal(SORT, query(12))).isPresent();
    assertThat(breakers.refusal(SORT, NO_QUERY)).isPresent();

    breakers.succeeded(SORT, query(10));
    breakers.succeeded(SORT, query(11));
    assertThat(breakers.refusal(SORT, query(12))).isEmpty();
    assertThat(breakers.notClosed()).isZero();
  }

  @Test
  void shouldLetAnotherTryWhenAQueryEndsWithoutAnOutcome() {
    passTime();
    assertThat(breakers.refusal(SORT, query(10))).isEmpty();
    assertThat(breakers.refusal(SORT, query(11))).isEmpty();
    assertThat(breakers.refusal(SORT, query(12))).isPresent();

    breakers.ended(10);

    assertThat(breakers.refusal(SORT, query(12))).isEmpty();
    // The second one has its outcome: nothing comes back when it ends.
    breakers.succeeded(SORT, query(12));
    breakers.ended(12);
    assertThat(breakers.refusal(SORT, query(13))).isPresent();
  }

  @Test
  void shouldTakeNoTrialWhenNothingIsExecuted() {
    passTime();
    for (int n = 0; n < 10; n++) {
      assertThat(breakers.refusal(SORT, NO_QUERY)).isEmpty();
    }
    assertThat(breakers.refusal(SORT, query(10))).isEmpty();
  }

  @Test
  void shouldOpenAgainWhenTheTrialsFail() {
    passTime();
    assertThat(breakers.refusal(SORT, query(10))).isEmpty();
    breakers.failed(SORT, query(10), "again");
    assertThat(breakers.refusal(SORT, query(11))).isEmpty();
    breakers.failed(SORT, query(11), "and again");

    assertThat(breakers.refusal(SORT, query(12)))
        .hasValueSatisfying(reason -> assertThat(reason).endsWith("last: and again"));
  }

  private void passTime() {
    clock.now = clock.now.plus(OPEN_FOR).plusMillis(1);
  }

  private static OptionalLong query(long id) {
    return OptionalLong.of(id);
  }
}
