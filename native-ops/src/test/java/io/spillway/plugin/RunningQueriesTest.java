package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunningQueriesTest {
  private final RunningQueries queries = new RunningQueries();

  @Test
  void shouldSayWhichQueriesHaveEndedAndNotTakeAnUnknownOneForEnded() {
    queries.started(3);
    queries.started(4);
    queries.ended(3);

    assertThat(queries.endedOf(List.of("3", "4", "5"))).containsExactly("3");
    queries.started(6);
    queries.ended(4);
    assertThat(queries.endedOf(List.of("4", "6", "7"))).containsExactly("4");
  }
}
