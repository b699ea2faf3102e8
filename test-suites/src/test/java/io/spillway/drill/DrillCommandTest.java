package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DrillCommandTest {
  @TempDir private Path home;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--scale much|--scale: 'much' is not a number",
        "--scale 0|must be from 0.001 to 10",
        "--scale 10.001|must be from 0.001 to 10",
        "--scale 0.0015|in steps of 0.001",
        "--memory little|--memory: 'little' is not a size",
        "--memory 1k|must be from 2.0 MiB to 1.0 TiB",
        "--memory 99999999999999t|is not a size",
        "--seed seven|--seed: 'seven' is not a whole number",
        "--seed 9223372036854775808|is not a whole number",
        "--master mesos://here:1|'mesos://here:1' is not a Spark master",
        "--master local[0]|needs 1 to 9999 threads",
        "--master local[1,1]|must allow 2 to 999 attempts",
        "--master local-cluster[0,1,1024]|at least one executor",
        "--master local-cluster[2,4,1024]|leaves 256 MiB for an executor",
        "--plan no-such-plan.yaml|no-such-plan.yaml",
        "--scale|--scale",
        "--wrong|--wrong",
        "stray|stray",
      })
  void shouldSayOneSentenceAndMakeNothingWhenAnOptionIsWrong(String options, String expected)
      throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exit = run(out, err, options.split(" ", -1));

    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).startsWith("spillway drill: ").contains(expected.strip());
    assertThat(err.toString().lines()).hasSize(1);
    assertNothingMade();
  }

  @Test
  void shouldNameFileAndLineAndMakeNothingWhenThePlanIsWrong() throws IOException {
    Path elsewhere = Files.createTempDirectory("drill-plan");
    Path plan =
        Files.writeString(
            elsewhere.resolve("plan.yaml"),
            """
            version: 1
            rules:
              - point: memory.aquire
                fault: {short-grant: {share: 0.5}}
                when: {nth: 1}
            """);
    StringWriter err = new StringWriter();

    int exit = run(new StringWriter(), err, "--plan", plan.toString());

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).contains("plan.yaml").contains("line 3").contains("memory.aquire");
    assertThat(err.toString().lines()).hasSize(1);
    assertNothingMade();
    Files.delete(plan);
    Files.delete(elsewhere);
  }

  @Test
  void shouldRefuseThePlanWhenItIsForAnotherEnvironment() {
    FaultPlan plan =
        FaultPlan.parse(
            "plan.yaml",
            """
            version: 1
            environment: staging
            rules:
              - point: task.batch
                fault: exception
                when: {nth: 1}
            """);

    assertThatThrownBy(() -> DrillOptions.armable(plan, DrillOptions.ENVIRONMENT))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("staging")
        .hasMessageContaining("'drill'");
  }

  @Test
  void shouldListEveryOptionWhenAskedForHelp() throws IOException {
    StringWriter out = new StringWriter();

    int exit = run(out, new StringWriter(), "--help");

    assertThat(exit).isZero();
    assertThat(out.toString())
        .contains("--scale", "--memory", "--seed", "--plan", "--master", "--keep")
        .contains("local-cluster[2,1,1024]");
    assertNothingMade();
  }

  @Test
  void shouldArmMemoryAllocationSpillAndBatchWhenNoPlanIsGiven() throws IOException {
    FaultPlan plan = DrillCommand.defaultPlan();

    assertThat(plan.rules())
        .extracting(FaultRule::point)
        .containsExactly(
            FaultPoint.MEMORY_ACQUIRE,
            FaultPoint.NATIVE_ALLOC,
            FaultPoint.SPILL_WRITE,
            FaultPoint.TASK_BATCH);
    assertThat(plan.withSeed(11).seed()).isEqualTo(11);
  }

  private int run(StringWriter out, StringWriter err, String... arguments) {
    CommandLine line = DrillCommand.commandLine(home);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  private void assertNothingMade() throws IOException {
    try (var files = Files.list(home)) {
      assertThat(files).isEmpty();
    }
  }
}
