package io.spillway.drill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small tables, in much and in too little memory. In every build each two of the choices meet once;
 * profile {@code soak} runs them all.
 */
class WholeQueriesIT extends WholeQueries {
  WholeQueriesIT() {
    super("0.1");
  }

  static Stream<Setting> pairs() {
    return Stream.of(
        new Setting("1g", true, 1),
        new Setting("1g", false, 4),
        new Setting("64m", true, 4),
        new Setting("64m", false, 1),
        new Setting("16m", true, 1),
        new Setting("16m", false, 4));
  }

  static Stream<Setting> rest() {
    List<Setting> all = new ArrayList<>();
    for (String offHeap : List.of("1g", "64m", "16m")) {
      for (boolean adaptive : List.of(true, false)) {
        all.add(new Setting(offHeap, adaptive, 1));
        all.add(new Setting(offHeap, adaptive, 4));
      }
    }
    all.removeAll(pairs().toList());
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldAnswerAsPlainSparkWhenEachTwoChoicesMeet(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("rest")
  void shouldAnswerAsPlainSparkInAllOtherSettings(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }
}
