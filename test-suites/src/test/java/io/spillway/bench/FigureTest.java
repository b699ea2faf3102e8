package io.spillway.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.spillway.bench.Target.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Medians, their intervals, and what is said of them. */
class FigureTest {
  @Test
  void shouldTakeTheNarrowestIntervalOf95PercentWhenSamplesAreEnough() {
    Figure figure = Figure.of(List.of(9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0, 4.0, 5.0));

    assertThat(figure.median()).isEqualTo(5);
    // Of nine fair coins, at least two show heads and two tails: 1 - 2 * 10 / 512.
    assertThat(figure.low()).isEqualTo(2);
    assertThat(figure.high()).isEqualTo(8);
    assertThat(figure.confidence()).isCloseTo(0.961, within(0.001));
    assertThat(figure.samples()).startsWith(9.0, 1.0);
  }

  @Test
  void shouldTakeAllSamplesAndSayHowLittleThatMeansWhenTheyAreFew() {
    Figure figure = Figure.of(List.of(4.0, 2.0));

    assertThat(figure.median()).isEqualTo(3);
    assertThat(figure.low()).isEqualTo(2);
    assertThat(figure.high()).isEqualTo(4);
    assertThat(figure.confidence()).isEqualTo(0.5);
    assertThat(Figure.of(List.of(1.0)).confidence()).isZero();
    assertThatThrownBy(() -> Figure.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldHoldTheTrueMedianAsOftenAsItSays() {
    Random random = new Random(7);
    int held = 0;
    int trials = 4_000;
    for (int trial = 0; trial < trials; trial++) {
      List<Double> samples = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        // Skewed, as times are; its median is the logarithm of 2.
        samples.add(-Math.log(1 - random.nextDouble()));
      }
      Figure figure = Figure.of(samples);
      held += figure.low() <= Math.log(2) && Math.log(2) <= figure.high() ? 1 : 0;
    }
    assertThat((double) held / trials).as("seed 7").isCloseTo(0.961, within(0.012));
  }

  @ParameterizedTest(name = "{0} {1}: median {2} from {3} to {4} is {5}")
  @CsvSource({
    "AT_MOST, 100, 90, 80, 100, MET",
    "AT_MOST, 100, 90, 80, 101, UNSURE",
    "AT_MOST, 100, 101, 80, 110, MISSED",
    "AT_LEAST, 0.9, 0.95, 0.9, 1.2, MET",
    "AT_LEAST, 0.9, 0.95, 0.8, 1.2, UNSURE",
    "AT_LEAST, 0.9, 0.89, 0.8, 1.2, MISSED"
  })
  void shouldJudgeByMedianAndInterval(
      Target.Bound bound, double limit, double median, double low, double high, Verdict verdict) {
    Figure figure = new Figure(median, low, high, 0.96, List.of());

    assertThat(new Target(bound, limit).judge(figure)).isEqualTo(verdict);
  }
}
