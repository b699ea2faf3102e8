package io.spillway.drill;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of 6 million order lines in 64 MiB: most operators spill most of what they hold. */
@Tag("soak")
class LargeQueriesIT extends WholeQueries {
  LargeQueriesIT() {
    super("1");
  }

  static Stream<Setting> settings() {
    return Stream.of(
        new Setting("64m", true, 1),
        new Setting("64m", true, 4),
        new Setting("64m", false, 1),
        new Setting("64m", false, 4));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldAnswerAsPlainSpark(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }
}
