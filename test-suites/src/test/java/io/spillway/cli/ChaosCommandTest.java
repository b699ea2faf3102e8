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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ChaosCommandTest {
  private static final String FIRED =
      """
      {"seed":7,"label":"q","stage":0,"partition":1,"attempt":0,"point":"task.batch","call":2,\
      "rule":1,"fault":"exception","stageId":0,"stageAttempt":0,"taskAttemptId":1,"thread":"t",\
      "time":"2026-01-01T00:00:00Z"}
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
  @ValueSource(
      strings = {
        "",
        "point",
        "check",
        "replay",
        "points --color",
        "replay /no/such/file",
        "report",
        "report /no/such/dir",
        "verdict"
      })
  void shouldSayOneSentenceAndExitTwoWhenTheCommandIsWrong(String arguments) {
    assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1))).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).singleElement().asString().startsWith("spillway chaos: ");
  }

  @Test
  void shouldReportAndJudgeWhatAgentsWrote() throws IOException {
    Path run = recordedRun();
    Path json = dir.resolve("report.json");
    assertThat(run("report", run.toString(), "--json", json.toString())).isZero();
    assertThat(out.toString()).contains("task.batch").contains("not handled 1");
    assertThat(run("report", run.toString(), "--against", run.toString())).isZero();
    assertThat(out.toString()).contains("the same set fired in " + run);

    assertThat(run("verdict", json.toString(), "--max-leaked", "0", "--require-fired", "all"))
        .isZero();
    assertThat(out.toString()).endsWith("ok: within all limits\n");
    assertThat(run("verdict", json.toString(), "--max-not-handled=0", "--max-lost-executors=0"))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains("FAILED  1 faults not handled, at most 0 allowed")
        .contains("FAILED  1 executors lost, at most 0 allowed");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource({
    "--events, /no/such/log, there is no event log",
    "--events, DIR, is a directory: give the event log's file",
    "--html, FILE/page.html, the page cannot be written to",
    "--json, FILE/report.json, the report cannot be written to",
  })
  void shouldSayOneSentenceAndExitTwoWhenAFileBesideARunCannotBeHad(
      String option, String path, String sentence) throws IOException {
    Path run = recordedRun();
    String file =
        path.replace("DIR", run.toString())
            .replace("FILE", run.resolve("points-1.json").toString());
    assertThat(run("report", run.toString(), option, file)).isEqualTo(2);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("spillway chaos: ")
        .contains(sentence, file);
  }

  @ParameterizedTest(name = "arguments: {0}")
  @ValueSource(
      strings = {
        "FILE",
        "FILE --max-leaked -1",
        "FILE --max-leaked 4m",
        "FILE --require-fired task.bach",
        "FILE --max-leaked 0",
        "/no/such/report.json --max-leaked 0"
      })
  void shouldSayOneSentenceAndExitTwoWhenAVerdictCannotBeGiven(String arguments)
      throws IOException {
    // The last of what is wrong with it: a file that is no report.
    Path file = Files.writeString(dir.resolve("report.json"), "{\"ok\":true}");
    String[] all = ("verdict " + arguments.replace("FILE", file.toString())).split(" ", -1);
    assertThat(run(all)).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).singleElement().asString().startsWith("spillway chaos: ");
  }

  @ParameterizedTest(name = "report: {0}")
  @ValueSource(
      strings = {"null", "{\"formatVersion\":1}", "{\"formatVersion\":1,\"leakedBytes\":0}"})
  void shouldGiveNoVerdictWhenAReportLacksWhatIsJudged(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("report.json"), text);
    assertThat(run("verdict", file.toString(), "--max-leaked", "0")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("spillway chaos: " + file + " is no report of a run");
  }

  @Test
  void shouldListTheCommandsWhenAskedForHelp() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("points", "check", "replay", "report", "verdict");
  }

  private Path recordedRun() throws IOException {
    Path run = dir.resolve("run");
    Files.createDirectories(run);
    Files.writeString(run.resolve("fired-1.jsonl"), FIRED);
    Files.writeString(
        run.resolve("points-1.json"),
        """
        {"pid":1,"executor":"0","seed":7,"points":[
          {"name":"task.batch","armed":true,"instrumented":true,"reached":9,"fired":1}],"rules":[
          {"rule":1,"point":"task.batch","fault":"exception","fired":1,"limited":0}]}
        """);
    return run;
  }

  private int run(String... arguments) {
    CommandLine line = ChaosCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
