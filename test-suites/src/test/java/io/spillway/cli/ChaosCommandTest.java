package io.spillway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.chaos.Catalogue;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ChaosCommandTest {
  private static final String FIRED =
      """
      {"seed":7,"label":"q","stage":0,"partition":1,"attempt":0,"point":"task.batch","call":2,\
      "rule":1,"fault":"exception","stageId":0,"stageAttempt":0,"taskAttemptId":1,"thread":"t",\
      "time":"now"}
      """;

  @TempDir Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldPrintEveryPointWhenAskedForPoints() {
    assertThat(run("points")).isZero();
    assertThat(out.toString())
        .isEqualTo(Catalogue.text())
        .contains(Arrays.stream(FaultPoint.values()).map(FaultPoint::id).toList());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void shouldPrintTheDocumentationsPageWhenAskedForMarkdown() {
    assertThat(run("points", "--markdown")).isZero();
    assertThat(out.toString()).isEqualTo(Catalogue.markdown());
  }

  @Test
  void shouldListTheRulesWhenAPlanIsRight() throws IOException {
    Path plan = dir.resolve("plan.yaml");
    Files.writeString(
        plan,
        """
        version: 1
        seed: 3
        environment: staging
        dryRun: true
        rules:
          - {point: kernel.call, fault: {delay: {millis: 5}}, when: {nth: 1}}
        """);
    assertThat(run("check", plan.toString())).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            plan
                + " is a plan: seed 3, environment staging, dry run\n"
                + "rule 1: delay(millis=5) at kernel.call\n");
  }

  @Test
  void shouldSayOneSentenceAndExitTwoWhenAPlanIsWrong() throws IOException {
    Path plan = dir.resolve("plan.yaml");
    Files.writeString(plan, "version: 1\nrules:\n  - {point: kernel.cal}\n");
    assertThat(run("check", plan.toString())).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("spillway chaos: " + plan + ", line 3: rule 1 has the unknown point");
  }

  @Test
  void shouldMakeAPlanThatTheAgentTakesWhenReplaying() throws IOException {
    Files.writeString(dir.resolve("fired-1.jsonl"), FIRED);
    Files.writeString(dir.resolve("fired-2.jsonl"), FIRED.replace("\"call\":2", "\"call\":5"));
    Path plan = dir.resolve("replay.yaml");
    assertThat(run("replay", dir.toString(), "--out", plan.toString())).isZero();
    assertThat(FaultPlan.parse(plan)).isEqualTo(FaultPlan.replay(List.of(dir)));
    assertThat(run("replay", dir.resolve("fired-1.jsonl").toString())).isZero();
    assertThat(out.toString()).contains("call: 2").doesNotContain("call: 5");
    assertThat(run("check", plan.toString())).isZero();
    assertThat(out.toString()).contains("rule 1: exception at task.batch at 2 named calls");
  }

  @ParameterizedTest(name = "arguments: {0}")
  @ValueSource(strings = {"", "point", "check", "replay", "points --color", "replay /no/such/file"})
  void shouldSayOneSentenceAndExitTwoWhenTheCommandIsWrong(String arguments) {
    assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1))).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).singleElement().asString().startsWith("spillway chaos: ");
  }

  @Test
  void shouldListTheCommandsWhenAskedForHelp() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("points", "check", "replay");
  }

  private int run(String... arguments) {
    CommandLine line = ChaosCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
