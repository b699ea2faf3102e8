package io.spillway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands attach, status and detach, against a JVM in which a Spark job runs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ChaosAttachIT {
  private static final String UNHARMED = "sum 499500, failed tasks 0";
  private static final String ONE_FAILED = "sum 499500, failed tasks 1";

  @TempDir Path dir;

  private String out;
  private String err;

  @Test
  void shouldFireUntilDetachedAndLeaveTheJobAsItWas() throws Exception {
    Path first = plan("first.yaml", "{point: task.start, fault: exception, when: {nth: 1}, WHERE}");
    Path second = plan("second.yaml", "{point: task.end, fault: exception, when: {nth: 1}, WHERE}");
    Path reports = dir.resolve("re,ports");
    try (JobJvm job = JobJvm.start(dir)) {
      assertThat(job.query()).isEqualTo(UNHARMED);
      List<String> before = job.probe();
      String pid = Long.toString(job.pid());
      assertThat(run("status", pid)).isEqualTo(2);
      assertThat(err).isEqualTo("spillway chaos: the JVM " + pid + " has no chaos agent in it");

      assertThat(run("attach", pid, first.toString(), "--out", reports.toString()))
          .as(err)
          .isZero();
      assertThat(out).contains("armed in the JVM " + pid, "plan " + first + ", seed 7");
      assertThat(job.query()).isEqualTo(ONE_FAILED);
      assertThat(run("status", pid)).as(err).isZero();
      assertThat(out)
          .contains("armed since ", "faults are written to " + reports.resolve("fired-"))
          .containsPattern("point task.start +instrumented, reached \\d+, fired 1")
          .contains("rule 1: exception at task.start, fired 1, limited ");
      assertThat(codes(job.probe())).hasSameSizeAs(codes(before)).isNotEqualTo(codes(before));

      assertThat(run("attach", pid, second.toString())).isEqualTo(2);
      assertThat(err)
          .startsWith("spillway chaos: a plan is armed in this JVM already (" + first + ", since ")
          .endsWith("); detach it first");

      assertThat(job.openFilesBelow(reports)).isNotEmpty();
      assertThat(run("detach", pid)).as(err).isZero();
      assertThat(out).contains("detached from the JVM " + pid, "task.start, fired 1");
      List<String> after = job.probe();
      assertThat(codes(after)).isEqualTo(codes(before)).isNotEmpty();
      assertThat(after).noneMatch(line -> line.startsWith("thread spillway"));
      assertThat(job.openFilesBelow(reports)).isEmpty();
      assertThat(job.query()).isEqualTo(UNHARMED);
      assertThat(run("status", pid)).isEqualTo(2);
      assertThat(err).isEqualTo("spillway chaos: nothing is armed in this JVM");
      assertThat(run("detach", pid)).isEqualTo(2);

      assertThat(run("attach", pid, second.toString(), "--out", reports.toString())).isZero();
      assertThat(job.query()).isEqualTo(ONE_FAILED);
      assertThat(run("status", pid, "--json")).isZero();
      JsonNode status = new ObjectMapper().readTree(out);
      assertThat(status.get("plan").asText()).isEqualTo(second.toString());
      assertThat(status.get("rules").get(0).get("fired").asLong()).isEqualTo(1);
      List<String> fired = Files.readAllLines(Path.of(status.get("firedFile").asText()));
      assertThat(fired)
          .singleElement()
          .asString()
          .contains("\"label\":\"asked\"", "\"point\":\"task.end\"");
      Path earlier = reports.resolve("earlier-" + pid + "-1").resolve("fired-" + pid + ".jsonl");
      assertThat(Files.readAllLines(earlier))
          .singleElement()
          .asString()
          .contains("\"label\":\"asked\"", "\"point\":\"task.start\"");
    }
  }

  @Test
  void shouldRefuseAndLeaveTheJobAloneWhenThePlanIsNotForIt() throws Exception {
    Path plan = plan("plan.yaml", "{point: task.start, fault: exception, when: {nth: 1}, WHERE}");
    Files.writeString(plan, Files.readString(plan) + "environment: staging\n");
    Path wrong = Files.writeString(dir.resolve("wrong.yaml"), "version: 1\nrules: none\n");
    try (JobJvm job = JobJvm.start(dir)) {
      String pid = Long.toString(job.pid());
      assertThat(run("attach", pid, wrong.toString())).isEqualTo(2);
      assertThat(err).startsWith("spillway chaos: " + wrong + ", line 2: 'rules' must be a list");
      assertThat(run("status", pid)).isEqualTo(2);
      assertThat(err).endsWith("has no chaos agent in it");

      assertThat(run("attach", pid, plan.toString(), "--environment", "production")).isEqualTo(2);
      assertThat(err)
          .contains("is for the environment 'staging' and this JVM is in 'production'")
          .endsWith("nothing is armed");
      Path file = Files.createFile(dir.resolve("file"));
      assertThat(
              run("attach", pid, plan.toString(), "--environment", "staging", "--out", file + "/x"))
          .isEqualTo(2);
      assertThat(err).contains("the report cannot be written to out=" + file);
      assertThat(job.query()).isEqualTo(UNHARMED);
      assertThat(job.errors()).doesNotContain("Exception");

      assertThat(
              run("attach", pid, plan.toString(), "--environment", "staging", "--out", dir + "/o"))
          .isZero();
      assertThat(job.query()).isEqualTo(ONE_FAILED);
    }
  }

  @Test
  void shouldSayOneSentenceWhenTheProcessCannotBeAttachedTo() throws Exception {
    Path plan = plan("plan.yaml", "{point: task.start, fault: exception, when: {nth: 1}, WHERE}");
    Process sleeping = new ProcessBuilder("sleep", "600").start();
    try {
      assertThat(run("attach", Long.toString(sleeping.pid()), plan.toString())).isEqualTo(2);
      assertThat(err).contains("is no JVM that can be attached to");
      // The request to listen would have ended it.
      assertThat(sleeping.isAlive()).isTrue();
    } finally {
      sleeping.destroyForcibly().onExit().join();
    }
    assertThat(run("detach", Long.toString(sleeping.pid()))).isEqualTo(2);
    assertThat(err).contains("there is no process " + sleeping.pid());
    assertThat(run("status", "many")).isEqualTo(2);
    try (JobJvm job = JobJvm.start(dir, "-XX:+DisableAttachMechanism")) {
      assertThat(run("attach", Long.toString(job.pid()), plan.toString())).isEqualTo(2);
      assertThat(err)
          .startsWith("spillway chaos: the JVM " + job.pid() + " cannot be attached to: ")
          .endsWith("without -XX:+DisableAttachMechanism");
      assertThat(job.query()).isEqualTo(UNHARMED);
    }
  }

  @Test
  void shouldSayOneSentenceAndNotWaitWhenTheProcessIsStopped() throws Exception {
    Process stopped = new ProcessBuilder("sleep", "600").start();
    try {
      String pid = Long.toString(stopped.pid());
      assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor()).isZero();
      Awaitility.await("the process is stopped")
          .until(() -> Files.readString(Path.of("/proc", pid, "status")).contains("State:\tT"));
      assertThat(run("status", pid)).isEqualTo(2);
      assertThat(err)
          .isEqualTo(
              "spillway chaos: the process %s is stopped and would not answer: resume it first (kill -CONT %s)"
                  .formatted(pid, pid));
    } finally {
      stopped.destroyForcibly();
    }
  }

  @Test
  void shouldTakeTheAgentThatTheCommandWasStartedWith() throws Exception {
    Path plan = plan("plan.yaml", "{point: task.start, fault: exception, when: {nth: 1}, WHERE}");
    try (JobJvm job = JobJvm.start(dir)) {
      Path home = Path.of(System.getProperty("spillway.home"));
      String classPath =
          JobJvm.agentJar()
              + ":"
              + home.resolve("test-suites/target/classes")
              + ":"
              + Files.readString(home.resolve("test-suites/target/class-path/drill.txt")).strip();
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-cp", classPath, ChaosCommand.class.getName()));
      command.addAll(List.of("attach", Long.toString(job.pid()), plan.toString()));
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(dir.resolve("attach.txt").toFile())
              .redirectErrorStream(true)
              .start();
      assertThat(process.waitFor()).as(Files.readString(dir.resolve("attach.txt"))).isZero();
      assertThat(job.query()).isEqualTo(ONE_FAILED);
      assertThat(dir.resolve("spillway-chaos/fired-" + job.pid() + ".jsonl")).isNotEmptyFile();
    }
  }

  private Path plan(String name, String rule) throws IOException {
    return Files.writeString(
        dir.resolve(name),
        "version: 1\nseed: 7\nrules:\n  - "
            + rule.replace("WHERE", "where: {label: asked, partition: 1}, limits: {total: 1}")
            + "\n");
  }

  private static List<String> codes(List<String> probe) {
    return only(probe, line -> line.startsWith("code "));
  }

  private static List<String> only(List<String> lines, Predicate<String> wanted) {
    return lines.stream().filter(wanted).toList();
  }

  private int run(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--agent", JobJvm.agentJar().toString()));
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    CommandLine line = ChaosCommand.commandLine();
    line.setOut(new PrintWriter(outText, true));
    line.setErr(new PrintWriter(errText, true));
    int exit = line.execute(all.toArray(new String[0]));
    out = outText.toString();
    err = errText.toString().strip();
    assertThat(err.lines().count()).isLessThanOrEqualTo(1);
    return exit;
  }
}
