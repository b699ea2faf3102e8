package io.spillway.memory.breaker;

import static io.spillway.memory.breaker.BreakerState.CLOSED;
import static io.spillway.memory.breaker.BreakerState.HALF_OPEN;
import static io.spillway.memory.breaker.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kind of operator that keeps failing is left on the JVM, alone, and tried again later. */
@Timeout(30)
class NativeBreakersTest {
  private static final BreakerSettings SETTINGS =
      new BreakerSettings(8, 4, 50, Duration.ofMinutes(1), 2, Duration.ofMinutes(10));

  private final List<BreakerChange> changes = new CopyOnWriteArrayList<>();
  private final TestClock clock = new TestClock();
  private final NativeBreakers breakers = new NativeBreakers(SETTINGS, changes::add, clock);

  private static final class TestClock extends Clock {
    private Instant now = Instant.parse("2026-11-30T00:00:00Z");

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

  private void failTimes(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(breakers.mayRun("HashJoin")).isTrue();
      breakers.failed("HashJoin", "build side of 3 GiB, failure " + i);
    }
  }

  @Test
  void shouldStayClosedWhenFailuresAreFewOrRare() {
    for (int i = 0; i < 3; i++) {
      breakers.failed("Sort", "too few to conclude anything");
    }
    for (int i = 0; i < 5; i++) {
      breakers.succeeded("HashJoin");
    }
    failTimes(3);

    assertThat(breakers.state("Sort")).isEqualTo(CLOSED);
    assertThat(breakers.state("HashJoin")).isEqualTo(CLOSED);
    assertThat(changes).isEmpty();
  }

  @Test
  void shouldOpenForThisKindOnlyAndSayWhy() {
    failTimes(4);

    assertThat(breakers.state("HashJoin")).isEqualTo(OPEN);
    assertThat(breakers.mayRun("HashJoin")).isFalse();
    assertThat(breakers.mayRun("HashAggregate")).isTrue();
    assertThat(breakers.state("HashAggregate")).isEqualTo(CLOSED);
    assertThat(changes)
        .containsExactly(
            new BreakerChange("HashJoin", CLOSED, OPEN, 4, 4, "build side of 3 GiB, failure 3"));
    assertThat(breakers.lastFailure("HashJoin")).isEqualTo("build side of 3 GiB, failure 3");
  }

  @Test
  void shouldCloseWhenItsTrialsGoWell() {
    failTimes(4);
    clock.now = clock.now.plusSeconds(59);
    assertThat(breakers.mayRun("HashJoin")).as("not yet").isFalse();
    clock.now = clock.now.plusSeconds(2);

    assertThat(breakers.mayRun("HashJoin")).isTrue();
    assertThat(breakers.state("HashJoin")).isEqualTo(HALF_OPEN);
    assertThat(breakers.mayRun("HashJoin")).isTrue();
    assertThat(breakers.mayRun("HashJoin")).as("two trials").isFalse();
    breakers.succeeded("HashJoin");
    breakers.succeeded("HashJoin");

    assertThat(breakers.state("HashJoin")).isEqualTo(CLOSED);
    assertThat(changes).extracting(BreakerChange::to).containsExactly(OPEN, HALF_OPEN, CLOSED);
  }

  @Test
  void shouldOpenAgainWhenItsTrialsFail() {
    failTimes(4);
    clock.now = clock.now.plusSeconds(61);
    failTimes(2);

    assertThat(breakers.state("HashJoin")).isEqualTo(OPEN);
    assertThat(breakers.mayRun("HashJoin")).isFalse();
    assertThat(changes).extracting(BreakerChange::to).containsExactly(OPEN, HALF_OPEN, OPEN);
  }

  @Test
  void shouldAllowAnotherTrialWhenOneIsAbandoned() {
    failTimes(4);
    clock.now = clock.now.plusSeconds(61);
    assertThat(breakers.mayRun("HashJoin")).isTrue();
    assertThat(breakers.mayRun("HashJoin")).isTrue();
    assertThat(breakers.mayRun("HashJoin")).isFalse();

    breakers.abandoned("HashJoin");

    assertThat(breakers.mayRun("HashJoin")).isTrue();
  }

  @Test
  void shouldNotStayHalfOpenForGoodWhenATrialIsNeverHeardOf() {
    NativeBreakers hasty =
        new NativeBreakers(
            new BreakerSettings(4, 2, 50, Duration.ofMinutes(1), 1, Duration.ofMillis(50)),
            changes::add,
            clock);
    hasty.failed("Sort", "one");
    hasty.failed("Sort", "two");
    clock.now = clock.now.plusSeconds(61);
    assertThat(hasty.mayRun("Sort")).isTrue();

    await("its time for trials is over").until(() -> hasty.state("Sort") == OPEN);
    clock.now = clock.now.plusSeconds(61);
    assertThat(hasty.mayRun("Sort")).as("and it is tried again").isTrue();
  }

  @Test
  void shouldNameTheFiguresWhenSettingsAreWrong() {
    assertThatThrownBy(
            () -> new BreakerSettings(4, 5, 50, Duration.ofMinutes(1), 1, Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 and 4");
    assertThatThrownBy(
            () -> new BreakerSettings(4, 2, 0, Duration.ofMinutes(1), 1, Duration.ofMinutes(1)))
        .hasMessageContaining("failurePercent must be from 1 to 100, but it is 0");
  }
}
