package io.spillway.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportLimitsTest {
  private static final long ANY = ReportLimits.ANY;

  @TempDir Path dir;
  private ChaosReport report;

  @BeforeEach
  void report() throws IOException {
    // 4608 bytes leaked, one executor lost, one spill file left, one fault retried.
    Records.write(dir, 10, "0", false);
    report = RunReader.of(dir, Optional.empty()).report(Optional.empty());
  }

  @Test
  void shouldFindNothingWhenEveryFigureIsJustAllowed() {
    assertThat(new ReportLimits(4608, 1, 0, 0, 1, false, List.of("task.batch")).violations(report))
        .isEmpty();
    assertThat(new ReportLimits(ANY, ANY, ANY, ANY, ANY, false, List.of()).violations(report))
        .isEmpty();
  }

  @Test
  void shouldSayOneSentenceForEachThingThatGoesBeyond() {
    assertThat(
            new ReportLimits(4607, 0, 0, 0, 0, true, List.of("kernel.call", "spill.read"))
                .violations(report))
        .containsExactly(
            "4608 bytes leaked, at most 4607 allowed",
            "1 executors lost, at most 0 allowed",
            "1 spill files left, at most 0 allowed",
            "executor 0 was disarmed before its end: the disk is full",
            "rule 2 (error at kernel.call) never fired",
            "the point kernel.call was reached 0 times and never fired",
            "the point spill.read was not armed");
  }
}
