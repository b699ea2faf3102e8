package io.spillway.report;

import static io.spillway.report.Records.end;
import static io.spillway.report.Records.fault;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultOutcomesTest {
  private static final String POINT = "native.alloc";

  @Test
  void shouldTellWhatCameOfAFaultFromTheAttemptsOfItsTask() {
    FaultOutcomes outcomes =
        new FaultOutcomes(
            List.of(
                end(1, 0, 0, "succeeded", 100, false),
                end(1, 1, 0, "failed", 100, false),
                end(1, 1, 1, "killed", 300, false),
                end(1, 1, 2, "succeeded", 600, false),
                end(2, 0, 0, "failed", 100, false),
                end(2, 0, 1, "failed", 100, false)));

    assertThat(outcomes.of(fault(1, 0, 0, POINT, 3), true))
        .isEqualTo(new FaultOutcomes.Verdict(Outcome.RECOVERED, 2500, ""));
    assertThat(outcomes.of(fault(1, 1, 0, POINT, 3), true))
        .isEqualTo(new FaultOutcomes.Verdict(Outcome.RETRIED, 500_000, "boom"));
    assertThat(outcomes.of(fault(1, 1, 1, POINT, 3), true).costMicros()).isEqualTo(300_000);
    assertThat(outcomes.of(fault(2, 0, 1, POINT, 3), true))
        .isEqualTo(new FaultOutcomes.Verdict(Outcome.FAILED_CLEANLY, 2500, "boom"));
    assertThat(outcomes.of(fault(1, 0, 0, POINT, 4), true).costMicros())
        .as("a call that the attempt does not tell of")
        .isEqualTo(-1);
  }

  @Test
  void shouldCallItNotHandledWhenTheExecutorDiedEvenIfTheTaskWasRunAgain() {
    List<AttemptEnd> again = List.of(end(1, 0, 1, "succeeded", 900, false));
    assertThat(new FaultOutcomes(again).of(fault(1, 0, 0, POINT, 3), false).outcome())
        .as("nobody saw the attempt end")
        .isEqualTo(Outcome.NOT_HANDLED);
    List<AttemptEnd> fatal = new ArrayList<>(again);
    fatal.add(end(1, 0, 0, "failed", 100, true));
    assertThat(new FaultOutcomes(fatal).of(fault(1, 0, 0, POINT, 3), false))
        .isEqualTo(new FaultOutcomes.Verdict(Outcome.NOT_HANDLED, -1, "boom"));
  }

  @Test
  void shouldCallItRetriedWhenTheExecutorsDeathIsTheFault() {
    List<AttemptEnd> ends =
        List.of(end(1, 0, 0, "failed", 100, true), end(1, 0, 1, "succeeded", 900, false));
    assertThat(new FaultOutcomes(ends).of(fault(1, 0, 0, "executor.exit", 1), false))
        .isEqualTo(new FaultOutcomes.Verdict(Outcome.RETRIED, 800_000, ""));
    assertThat(
            new FaultOutcomes(ends.subList(1, 2))
                .of(fault(1, 0, 0, "executor.exit", 1), false)
                .outcome())
        .isEqualTo(Outcome.RETRIED);
    assertThat(
            new FaultOutcomes(ends.subList(0, 1))
                .of(fault(1, 0, 0, "executor.exit", 1), false)
                .outcome())
        .isEqualTo(Outcome.NOT_HANDLED);
  }

  @Test
  void shouldGoByTheJvmsEndWhenAFaultFiredOutsideAnyTask() {
    FaultOutcomes outcomes = new FaultOutcomes(List.of());
    FiredFault outside = fault(-1, -1, 0, POINT, 2);
    assertThat(outcomes.of(outside, true).outcome()).isEqualTo(Outcome.RECOVERED);
    assertThat(outcomes.of(outside, false).outcome()).isEqualTo(Outcome.NOT_HANDLED);
  }

  @Test
  void shouldGiveOneDigestForOneSetInAnyOrder() {
    List<FiredFault> fired =
        List.of(fault(1, 0, 0, POINT, 3), fault(1, 1, 0, POINT, 3), fault(2, 0, 0, POINT, 1));
    List<FiredFault> turned = new ArrayList<>(fired);
    Collections.reverse(turned);
    turned.add(fired.get(0));

    assertThat(FiredFault.digest(fired)).hasSize(16).isEqualTo(FiredFault.digest(turned));
    assertThat(FiredFault.digest(fired.subList(0, 2))).isNotEqualTo(FiredFault.digest(fired));
    assertThat(FiredFault.digest(List.of(fault(1, 0, 0, POINT, 4), fault(1, 1, 0, POINT, 3))))
        .isNotEqualTo(FiredFault.digest(fired.subList(0, 2)));
  }
}
