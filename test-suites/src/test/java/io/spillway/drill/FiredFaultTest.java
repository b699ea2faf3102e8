package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiredFaultTest {
  @TempDir private Path directory;

  @Test
  void shouldReadWhatSeveralAgentsWrote() throws IOException {
    Files.writeString(
        directory.resolve("fired-1.jsonl"),
        """
        {"seed":7,"label":"per-order","stage":1,"partition":2,"attempt":0,"point":"native.alloc",\
        "call":3,"rule":2,"fault":"out-of-memory","stageId":9,"stageAttempt":0,\
        "taskAttemptId":41,"executor":"0","thread":"x","time":"2026-01-01T00:00:00Z"}
        """);
    Files.writeString(
        directory.resolve("fired-2.jsonl"),
        """
        {"label":"dashboard","stage":0,"partition":1,"attempt":0,"point":"spill.write","call":1,\
        "rule":3,"fault":"disk-full","stageId":11,"operator":"HashAggregate"}
        """);
    Files.writeString(directory.resolve("points-1.json"), counts(true, 5));
    Files.writeString(directory.resolve("points-2.json"), counts(false, 2));

    List<FiredFault> fired = FiredFault.readAll(directory);

    assertThat(fired)
        .extracting(FiredFault::key)
        .containsExactly(
            "dashboard stage=0 partition=1 attempt=0 spill.write call=1 disk-full",
            "per-order stage=1 partition=2 attempt=0 native.alloc call=3 out-of-memory");
    PointCounts counts = PointCounts.readAll(directory);
    assertThat(counts.reached("native.alloc")).isEqualTo(7);
    assertThat(counts.instrumented("native.alloc")).isTrue();
    assertThat(counts.instrumented("task.batch")).isFalse();
  }

  @Test
  void shouldGiveOneDigestForOneSetInAnyOrderAndOnAnyExecutor() {
    List<FiredFault> fired = List.of(fault(1, 0, 3, "0"), fault(1, 1, 3, "0"), fault(2, 0, 1, "1"));
    List<FiredFault> elsewhere =
        new ArrayList<>(List.of(fault(1, 0, 3, "1"), fault(1, 1, 3, "1"), fault(2, 0, 1, "0")));
    Collections.reverse(elsewhere);

    assertThat(FiredFault.digest(fired)).hasSize(16).isEqualTo(FiredFault.digest(elsewhere));
    assertThat(FiredFault.digest(fired.subList(0, 2))).isNotEqualTo(FiredFault.digest(fired));
    assertThat(FiredFault.digest(List.of(fault(1, 0, 4, "0"), fault(1, 1, 3, "0"))))
        .isNotEqualTo(FiredFault.digest(fired.subList(0, 2)));
  }

  @Test
  void shouldTellWhatCameOfAFaultFromTheAttemptsOfItsTask() {
    FaultOutcomes outcomes =
        new FaultOutcomes(
            List.of(
                attempt(1, 0, 0, true),
                attempt(1, 1, 0, false),
                attempt(1, 1, 1, true),
                attempt(2, 0, 0, false),
                attempt(2, 0, 1, false)));

    assertThat(outcomes.of(fault(1, 0, 3, "0"))).isEqualTo("recovered");
    assertThat(outcomes.of(fault(1, 1, 3, "0"))).isEqualTo("retried");
    assertThat(outcomes.of(fault(2, 0, 3, "0"))).isEqualTo("failed");
    assertThat(outcomes.of(fault(5, 0, 3, "0"))).isEqualTo("unknown");
  }

  @Test
  void shouldCountATaskOnceHoweverOftenItWasRetried() {
    PassOutcome.Query query = new PassOutcome.Query("q", 1, 1, 3, PassOutcome.Plan.PLAIN, 0, null);
    List<PassOutcome.TaskAttempt> attempts =
        List.of(
            attempt(1, 0, 0, false),
            attempt(1, 0, 1, false),
            attempt(1, 0, 2, true),
            attempt(2, 0, 0, true),
            attempt(3, 0, 1, true));

    assertThat(FaultOutcomes.tasksRetried(query, attempts)).isEqualTo(1);
  }

  private static String counts(boolean instrumented, long reached) {
    return "{\"points\":[{\"name\":\"native.alloc\",\"armed\":true,\"instrumented\":"
        + instrumented
        + ",\"reached\":"
        + reached
        + ",\"fired\":0}]}";
  }

  private static PassOutcome.TaskAttempt attempt(
      int stageId, int partition, int attempt, boolean succeeded) {
    return new PassOutcome.TaskAttempt(stageId, partition, attempt, "0", succeeded, "");
  }

  private static FiredFault fault(int stageId, int partition, long call, String executor) {
    return new FiredFault(
        "q",
        stageId,
        stageId,
        partition,
        0,
        "native.alloc",
        call,
        1,
        "out-of-memory",
        "",
        executor);
  }
}
