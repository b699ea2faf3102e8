package io.spillway.testing.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SelectionTest {
  /** Ten of stratum 0, then 990 of stratum 1, then one of stratum 2. */
  private static final List<Integer> ALL = IntStream.rangeClosed(0, 1000).boxed().toList();

  private static Object stratum(int number) {
    return number < 10 ? 0 : number < 1000 ? 1 : 2;
  }

  @Test
  void shouldTakeFirstAndLastOfEveryStratumInOrderWhenThereIsRoom() {
    List<Integer> drawn = Selection.draw(ALL, SelectionTest::stratum, 21, 7);
    assertThat(drawn).hasSize(21).isSorted().doesNotHaveDuplicates();
    assertThat(drawn).contains(10, 999, 1000);
    assertThat(drawn).filteredOn(number -> number < 10).hasSize(10);
  }

  @Test
  void shouldDrawAlikeForOneSeedAndOtherwiseForAnother() {
    List<Integer> drawn = Selection.draw(ALL, SelectionTest::stratum, 30, 7);
    assertThat(Selection.draw(ALL, SelectionTest::stratum, 30, 7)).isEqualTo(drawn);
    assertThat(Selection.draw(ALL, SelectionTest::stratum, 30, 8)).isNotEqualTo(drawn);
  }

  @Test
  void shouldStopWhenAllAreDrawn() {
    assertThat(Selection.draw(ALL, number -> number, 5, 7)).hasSize(5);
    assertThat(Selection.draw(ALL, SelectionTest::stratum, ALL.size(), 7)).isEqualTo(ALL);
  }
}
