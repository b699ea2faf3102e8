package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.report.AttemptEnd;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportAssemblerTest {
  @Test
  void shouldCountATaskOnceHoweverOftenItWasRetried() {
    PassOutcome.Query query = new PassOutcome.Query("q", 1, 1, 3, PassOutcome.Plan.PLAIN, 0, null);
    List<AttemptEnd> attempts =
        List.of(end(1, 0, 0), end(1, 0, 1), end(1, 0, 2), end(2, 0, 0), end(3, 0, 1));

    assertThat(ReportAssembler.tasksRetried(query, attempts)).isEqualTo(1);
  }

  private static AttemptEnd end(int stageId, int partition, int attempt) {
    return new AttemptEnd(
        "", stageId, 0, partition, attempt, "0", 0, 1, "failed", "", false, 0, null, null);
  }
}
