package io.spillway.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReaderTest {
  @TempDir Path dir;

  @Test
  void shouldPutOneJvmTogether() throws IOException {
    Records.write(dir, 10, "0", true);

    ChaosReport report = RunReader.of(dir, Optional.empty()).report(Optional.empty());

    assertThat(report.seeds()).containsExactly(7L);
    assertThat(report.fired()).isEqualTo(1);
    assertThat(report.points())
        .containsExactly(
            new PointSummary("task.batch", true, true, null, 40, 1, 0, 1, 0, 0, 250, 250),
            new PointSummary("kernel.call", true, false, "no such method", 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(report.faults()).singleElement().satisfies(RunReaderTest::isTheRetriedFault);
    assertThat(report.rules())
        .containsExactly(
            new ChaosReport.Rule(1, "task.batch", "exception", 1, 2),
            new ChaosReport.Rule(2, "kernel.call", "error", 0, 0));
    assertThat(report.keysNotReached())
        .containsExactly("q stage=0 partition=2 attempt=0 task.batch call=9 exception");
    assertThat(report.leaks())
        .containsExactly(
            new ChaosReport.Leak(
                "0",
                "q, stage 4, partition 2, attempt 1",
                "Spark",
                4096,
                List.of("Sorter 4096 bytes")),
            new ChaosReport.Leak("0", "", "Spillway", 512, List.of("task 1 / Filter")));
    assertThat(report.leakedBytes()).isEqualTo(4096 + 512);
    assertThat(report.reclaimedBytes()).isEqualTo(100 + 64);
    assertThat(report.spillFilesLeft()).isEqualTo(1);
    assertThat(report.executorsLost()).isEmpty();
    assertThat(report.jvms()).singleElement().satisfies(RunReaderTest::hasTheMemory);
    assertThat(report.against()).isNull();
  }

  private static void isTheRetriedFault(JudgedFault fault) {
    assertThat(fault.outcome()).isEqualTo(Outcome.RETRIED);
    assertThat(fault.costMillis()).isEqualTo(250);
    assertThat(fault.thread()).isEqualTo("worker 1");
    assertThat(fault.failure()).isEqualTo("RuntimeException: x");
    assertThat(fault.jvm()).isEqualTo(10);
  }

  private static void hasTheMemory(ChaosReport.Jvm jvm) {
    assertThat(jvm.memory())
        .containsExactly(
            new MemoryStory("resident", 200, 900, 300),
            new MemoryStory("direct", 2, 3, 0),
            new MemoryStory("heap", 10, 10, 10),
            new MemoryStory("off-heap execution", 77, 77, 0));
  }

  @Test
  void shouldSayWhatIsMissingWhenTheCountsTellOfMoreFaultsThanTheRecord() throws IOException {
    Records.write(dir, 10, "0", true);
    Files.delete(dir.resolve("fired-10.jsonl"));
    ChaosReport report = RunReader.of(dir, Optional.empty()).report(Optional.empty());
    assertThat(report.jvms()).extracting(ChaosReport.Jvm::faultsMissing).containsExactly(1L);
    assertThat(ReportText.of(report)).contains("incomplete: executor 0 counted 1 faults more");
    assertThat(
            new ReportLimits(0, ReportLimits.ANY, 0, ReportLimits.ANY, 9, false, List.of())
                .violations(report))
        .anyMatch(violation -> violation.contains("counted 1 faults more than are on record"));
  }

  @Test
  void shouldPassOverHalfALineWhenItsDiskWasFullOrItsJvmKilled() throws IOException {
    String good =
        "{\"stageId\":9,\"stageAttempt\":0,\"partition\":1,\"attempt\":1,\"result\":\"succeeded\",\"leftBytes\":7}\n";
    Records.write(dir, 10, "0", true, "{\"label\":\"q\",\"own\n", good);
    Path fired = dir.resolve("fired-10.jsonl");
    byte[] half = "{\"label\":\"\u00e9".getBytes(StandardCharsets.UTF_8);
    Files.write(fired, Arrays.copyOf(half, half.length - 1), StandardOpenOption.APPEND);
    ChaosReport report = RunReader.of(dir, Optional.empty()).report(Optional.empty());
    assertThat(report.fired()).isEqualTo(1);
    assertThat(report.leakedBytes()).isEqualTo(4096 + 512 + 7);
  }

  @Test
  void shouldReadAPlanOfAnyLengthWhenAnAgentWroteItDown() throws IOException {
    Records.write(dir, 10, "0", true);
    Path totals = dir.resolve("jvm-10.json");
    String rule = ", {point: task.end, fault: kill, when: {nth: 1}, where: {partition: 12345}}";
    String text = Files.readString(totals);
    int end = text.lastIndexOf("]}\"}");
    assertThat(end).isPositive();
    StringBuilder plan = new StringBuilder(text.substring(0, end));
    for (int partition = 0; partition < 5_000; partition++) {
      plan.append(rule.replace("12345", String.valueOf(partition)));
    }
    Files.writeString(totals, plan.append(text.substring(end)));
    assertThat(Files.size(totals)).isGreaterThan(256 * 1024);
    assertThat(RunReader.of(dir, Optional.empty()).report(Optional.empty()).keysNotReached())
        .containsExactly("q stage=0 partition=2 attempt=0 task.batch call=9 exception");
  }

  @Test
  void shouldTellOfAnExecutorWhenItsJvmCameToNoOrderlyEnd() throws IOException {
    Records.write(dir, 10, "0", true);
    Records.write(dir, 11, "1", false);
    assertThat(RunReader.of(dir, Optional.empty()).report(Optional.empty()).executorsLost())
        .containsExactly(new ExecutorLost("1", null, "the JVM 11 came to no orderly end"));
  }

  @Test
  void shouldTellOfAnExecutorWhenAFatalErrorEndedIt() throws IOException {
    Records.write(
        dir,
        10,
        "0",
        true,
        """
        {"partition":3,"attempt":0,"stageId":4,"stageAttempt":0,"executor":"0","startedMillis":1,"millis":5,"result":"failed","failure":"java.lang.OutOfMemoryError: x","fatal":true}
        """);
    assertThat(RunReader.of(dir, Optional.empty()).report(Optional.empty()).executorsLost())
        .containsExactly(
            new ExecutorLost("0", null, "Spark ended it after java.lang.OutOfMemoryError: x"));
  }

  @Test
  void shouldTakeSparksWordAndExitCodesWhenThereIsAnEventLog() throws IOException {
    Records.write(dir, 10, "0", false);
    Path log =
        Files.writeString(
            dir.resolve("events"),
            """
            {"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}
            {"Event":"SparkListenerTaskEnd","Stage ID":4,"Stage Attempt ID":0,"Task End Reason":{"Reason":"ExecutorLostFailure","Executor ID":"0"},"Task Info":{"Task ID":10,"Index":2,"Attempt":1,"Partition ID":2,"Launch Time":1250,"Executor ID":"0","Finish Time":1300}}
            {"Event":"SparkListenerExecutorRemoved","Executor ID":"0","Removed Reason":"Command exited with code 137"}
            {"Event":"SparkListenerApplicationEnd","Timestamp":1}
            {"Event":"SparkListenerExecutorRemoved","Executor ID":"9","Removed Reason":"bye"}
            """);
    ChaosReport report = RunReader.of(dir, Optional.of(log)).report(Optional.empty());
    assertThat(report.executorsLost())
        .containsExactly(new ExecutorLost("0", 137, "Command exited with code 137"));
    assertThat(report.faults())
        .singleElement()
        .extracting(JudgedFault::outcome)
        .isEqualTo(Outcome.FAILED_CLEANLY);
  }

  @Test
  void shouldListTheKeysThatOnlyOneRunReached() throws IOException {
    Path other = dir.resolve("other");
    Records.write(dir.resolve("one"), 10, "0", true);
    Records.write(other, 10, "0", true);
    RunReader one = RunReader.of(dir.resolve("one"), Optional.empty());
    ChaosReport same = one.report(Optional.of(RunReader.of(other, Optional.empty())));
    assertThat(same.against().firedDigest()).isEqualTo(same.firedDigest());
    assertThat(same.against().onlyHere()).isEmpty();
    assertThat(same.against().onlyThere()).isEmpty();
    assertThat(ReportText.of(same)).contains("the same set fired in " + other);

    Path fired = other.resolve("fired-10.jsonl");
    Files.writeString(fired, Files.readString(fired).replace("\"call\":3", "\"call\":9"));
    ChaosReport differs = one.report(Optional.of(RunReader.of(other, Optional.empty())));
    assertThat(differs.against().firedDigest()).isNotEqualTo(differs.firedDigest());
    assertThat(differs.against().onlyHere())
        .containsExactly("q stage=0 partition=2 attempt=0 task.batch call=3 exception");
    assertThat(differs.against().onlyThere())
        .containsExactly("q stage=0 partition=2 attempt=0 task.batch call=9 exception");
    assertThat(ReportText.of(differs)).contains("only here: q stage", "only there: q stage");
  }

  @Test
  void shouldReadBackWhatItWrote() throws IOException {
    Records.write(dir, 10, "0", false);
    ChaosReport report =
        RunReader.of(dir, Optional.empty())
            .report(Optional.of(RunReader.of(dir, Optional.empty())));
    Path file = dir.resolve("report.json");
    Json.write(file, report);
    assertThat(Json.read(file, ChaosReport.class)).isEqualTo(report);
  }

  @Test
  void shouldSayWhatEveryReaderShouldKnow() throws IOException {
    Records.write(dir, 10, "0", false);
    String text = ReportText.of(RunReader.of(dir, Optional.empty()).report(Optional.empty()));
    assertThat(text)
        .contains("1 faults fired, set ")
        .contains("recovered 0, retried 1, failed cleanly 0, not handled 0; recovery cost 250.0 ms")
        .contains("leak: 4.0 KiB by Spark's figures, executor 0, q, stage 4, partition 2")
        .contains("leak: 512 B by Spillway's figures, executor 0, owned by task 1 / Filter")
        .contains("lost: executor 0, exit code unknown: the JVM 10 came to no orderly end")
        .contains("never fired: rule 2, error at kernel.call")
        .contains("disarmed: everything on executor 0: the disk is full")
        .contains("disarmed: kernel.call: no such method")
        .contains("not reached: q stage=0 partition=2 attempt=0 task.batch call=9");
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).doesNotEndWith(" "));
  }

  @Test
  void shouldRefuseWithOneSentenceWhenTheAgentsHadDifferentPlans() throws IOException {
    Records.write(dir, 10, "0", true);
    Records.write(dir, 11, "1", true);
    Path second = dir.resolve("points-11.json");
    Files.writeString(
        second,
        Files.readString(second)
            .replace("\"point\":\"kernel.call\",\"fault\"", "\"point\":\"task.end\",\"fault\""));
    RunReader reader = RunReader.of(dir, Optional.empty());
    assertThatThrownBy(() -> reader.report(Optional.empty()))
        .isInstanceOf(RecordException.class)
        .hasMessage(
            "agents with different plans have written there: a rule is error at kernel.call for one"
                + " and error at task.end for another; give each run a directory of its own as"
                + " 'out'");
  }

  @Test
  void shouldRefuseWithOneSentenceWhenThereIsNoRecord() throws IOException {
    assertThatThrownBy(() -> RunReader.of(dir, Optional.empty()))
        .isInstanceOf(RecordException.class)
        .hasMessage(
            dir + " has no points-<pid>.json: give the directory that the agents had as 'out'");
    Records.write(dir, 10, "0", true, "damaged\n", "{}\n");
    assertThatThrownBy(() -> RunReader.of(dir, Optional.empty()))
        .isInstanceOf(RecordException.class)
        .hasMessageStartingWith(
            dir.resolve("attempts-10.jsonl") + ", line 3 is not what the agent writes: ");
  }
}
