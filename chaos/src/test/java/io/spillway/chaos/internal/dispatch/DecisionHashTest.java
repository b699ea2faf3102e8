package io.spillway.chaos.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DecisionHashTest {

  @Test
  void shouldGiveTheRecordedValuesWhenTheKeyIsTheSame() {
    // Computed once outside Java: a change of any of them makes recorded runs unrepeatable.
    assertThat(DecisionHash.ofText("")).isEqualTo(-780787492076525413L);
    assertThat(DecisionHash.ofText("memory.acquire")).isEqualTo(-5093943003805585419L);
    long attempt = DecisionHash.ofAttempt(7, "q1", 2, 3, 0);
    assertThat(attempt).isEqualTo(-1835074807019620608L);
    long call = DecisionHash.ofCall(attempt, DecisionHash.ofText("memory.acquire"), 5, 1);
    assertThat(call).isEqualTo(7368388550151163259L);
    assertThat(DecisionHash.toUnit(call)).isEqualTo(0.3994411436895603);
  }

  @Test
  void shouldDifferWhenOnePartOfTheKeyDiffers() {
    long point = DecisionHash.ofText("memory.acquire");
    Set<Long> hashes = new HashSet<>();
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "q", 1, 1, 1), point, 1, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(8, "q", 1, 1, 1), point, 1, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "p", 1, 1, 1), point, 1, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "q", 2, 1, 1), point, 1, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "q", 1, 2, 1), point, 1, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "q", 1, 1, 2), point, 1, 1));
    hashes.add(
        DecisionHash.ofCall(
            DecisionHash.ofAttempt(7, "q", 1, 1, 1), DecisionHash.ofText("task.batch"), 1, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "q", 1, 1, 1), point, 2, 1));
    hashes.add(DecisionHash.ofCall(DecisionHash.ofAttempt(7, "q", 1, 1, 1), point, 1, 2));
    assertThat(hashes).hasSize(9);
  }

  @Test
  void shouldSpreadEvenlyWhenCallsAndPartitionsCountUp() {
    long point = DecisionHash.ofText("memory.acquire");
    int below = 0;
    int all = 0;
    for (int partition = 0; partition < 200; partition++) {
      long attempt = DecisionHash.ofAttempt(7, "q", 0, partition, 0);
      for (int call = 1; call <= 500; call++) {
        double unit = DecisionHash.toUnit(DecisionHash.ofCall(attempt, point, call, 1));
        assertThat(unit).isBetween(0.0, Math.nextDown(1.0));
        below += unit < 0.05 ? 1 : 0;
        all++;
      }
    }
    // 100,000 draws at 5 %: one standard deviation is 0.07 %.
    assertThat((double) below / all).isCloseTo(0.05, within(0.003));
  }
}
