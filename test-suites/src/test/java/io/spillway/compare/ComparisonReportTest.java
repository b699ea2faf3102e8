package io.spillway.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.chaos.FaultPoint;
import io.spillway.drill.UsageException;
import io.spillway.report.ChaosReport;
import io.spillway.report.ExecutorLost;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonReportTest {
  @Test
  void shouldReadEnginesOnceEachAndRefuseOthers() {
    assertThat(Engine.parse("comet, spark,comet")).containsExactly(Engine.COMET, Engine.SPARK);
    assertThatThrownBy(() -> Engine.parse("spark,velox"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--engines: unknown engine 'velox'; the engines are spark, spillway, comet");
    assertThatThrownBy(() -> Engine.parse("")).isInstanceOf(UsageException.class);
  }

  @Test
  void shouldArmOnlyPointsOfSparksOwnByDefault() throws IOException {
    assertThat(CompareCommand.defaultPlan().rules())
        .allSatisfy(
            rule ->
                assertThat(rule.point())
                    .isIn(
                        FaultPoint.MEMORY_ACQUIRE,
                        FaultPoint.TASK_START,
                        FaultPoint.TASK_BATCH,
                        FaultPoint.TASK_END,
                        FaultPoint.SHUFFLE_WRITE,
                        FaultPoint.SHUFFLE_FETCH));
  }

  @Test
  void shouldTellAndNotHideWhenAnEngineLosesExecutorsOrLeaks() {
    String text =
        new ComparisonReport(
                "0.1",
                1 << 20,
                "local[1,4]",
                "seed: 7",
                List.of(
                    new ComparisonReport.EngineReport("spark", 0, queries("equal"), chaos()),
                    new ComparisonReport.EngineReport("comet", 137, queries("not run"), null)))
            .text();
    assertThat(text)
        .contains("spark: executor 1 was lost, exit code 137: Command exited with code 137")
        .contains("spark: leaked 4.0 KiB by Spark's figures, owned by Sorter 4096 bytes")
        .contains("comet: its driver ended with exit code 137")
        .contains("comet: no agent wrote anything down");
    assertThat(text.lines().filter(line -> line.startsWith("spark ")).findFirst())
        .get()
        .asString()
        .contains("1 of 1");
  }

  private static List<ComparisonReport.Query> queries(String result) {
    return List.of(new ComparisonReport.Query("tpch-3", 1.5, result, null, 0));
  }

  private static ChaosReport chaos() {
    return new ChaosReport(
        1,
        "chaos",
        List.of(7L),
        0,
        "0123456789abcdef",
        List.of(),
        List.of(),
        List.of(),
        4096,
        0,
        List.of(new ChaosReport.Leak("1", "", "Spark", 4096, List.of("Sorter 4096 bytes"))),
        0,
        List.of(ExecutorLost.told("1", "Command exited with code 137")),
        List.of(),
        List.of(),
        null);
  }
}
