package io.spillway.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.chaos.FaultPlan;
import io.spillway.drill.FileTrees;
import io.spillway.drill.ProjectLayout;
import io.spillway.drill.SparkHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain Spark jobs with the packaged agent in their JVMs, and the reports of what came of them. */
class ReportedJobIT {
  private static final String DATA_DRIVEN =
      """
      version: 1
      seed: 7
      rules:
        - {point: task.start, fault: exception, when: {probability: 0.9}, where: {partition: 3}}
        - {point: task.batch, fault: {delay: {millis: 5}}, when: {probability: 0.002}, limits: {perTask: 9}}
        - {point: task.end, fault: kill, when: {nth: 1}, where: {partition: 2}}
      """;
  private static final String DEMAND_DRIVEN =
      """
      version: 1
      seed: 7
      rules:
        - {point: memory.acquire, fault: {short-grant: {share: 0.5}}, when: {probability: 0.5}, limits: {perTask: 9}}
      """;

  @TempDir Path dir;

  @Test
  void shouldFireTheSameSetOnOneThreadOnFourAndOnTwoExecutorsWhenPointsAreDataDriven()
      throws Exception {
    ChaosReport one = run("one", DATA_DRIVEN, "local[1,4]", 0);
    assertThat(one.points()).hasSize(3).allMatch(point -> point.fired() > 0);
    assertThat(one.count(Outcome.RECOVERED)).isPositive();
    assertThat(one.count(Outcome.RETRIED)).isPositive();
    assertThat(one.count(Outcome.NOT_HANDLED)).isZero();
    assertThat(one.count(Outcome.FAILED_CLEANLY)).isZero();
    assertThat(one.leakedBytes()).isZero();
    assertThat(one.spillFilesLeft()).isZero();
    assertThat(one.executorsLost()).isEmpty();
    assertThat(one.faults())
        .filteredOn(fault -> fault.point().equals("task.batch"))
        .allMatch(fault -> fault.outcome() != Outcome.RECOVERED || fault.costMillis() >= 5);

    ChaosReport four = run("four", DATA_DRIVEN, "local[4,4]", 0);
    assertSameSet(four, "four", "one");
    ChaosReport cluster = run("cluster", DATA_DRIVEN, "local-cluster[2,1,1024]", 0);
    assertSameSet(cluster, "cluster", "one");
    assertThat(cluster.jvms()).hasSize(2).allMatch(jvm -> jvm.ended() != null);
    assertThat(cluster.jvms())
        .allSatisfy(
            jvm ->
                assertThat(jvm.memory())
                    .extracting(MemoryStory::name)
                    .contains("resident", "direct", "off-heap execution"));
  }

  @Test
  void shouldFireTheSameSetWhenPointsAreDemandDrivenAndEachExecutorRunsOneTaskAtATime()
      throws Exception {
    ChaosReport one = run("one", DEMAND_DRIVEN, "local[1,4]", 0);
    assertThat(one.fired()).isPositive();
    assertSameSet(run("cluster", DEMAND_DRIVEN, "local-cluster[2,1,1024]", 0), "cluster", "one");
  }

  @Test
  void shouldNameTheKeysThatAReplayDidNotReach() throws Exception {
    ChaosReport first = run("first", DATA_DRIVEN, "local[1,4]", 0);
    String replay = FaultPlan.replay(List.of(dir.resolve("first/out"))).toYaml();
    ChaosReport again = run("again", replay, "local[4,4]", 0);
    assertThat(again.firedDigest()).isEqualTo(first.firedDigest());
    assertThat(again.keysNotReached()).isEmpty();

    ChaosReport elsewhere =
        run("elsewhere", replay, "local[1,4]", 0, "spark.sql.shuffle.partitions=1");
    assertThat(elsewhere.keysNotReached())
        .isNotEmpty()
        .allMatch(key -> key.startsWith("job stage=1 partition="));
    assertThat(elsewhere.fired() + elsewhere.keysNotReached().size()).isEqualTo(first.fired());
  }

  @Test
  void shouldTellTheExitCodeWhenAnExecutorIsKilledInTheMiddleOfAFault() throws Exception {
    String plan =
        """
        version: 1
        seed: 7
        rules:
          - {point: task.start, fault: {delay: {millis: 30000}}, when: {nth: 1}, where: {stage: 0, partition: 1}}
        """;
    ChaosReport report =
        run("killed", plan, "local-cluster[2,1,1024]", 0, "spark.eventLog.enabled=true");
    assertThat(report.faults())
        .singleElement()
        .extracting(JudgedFault::outcome)
        .isEqualTo(Outcome.NOT_HANDLED);
    assertThat(report.executorsLost()).singleElement().satisfies(ReportedJobIT::wasKilled);
  }

  @Test
  void shouldTellThatTheTaskWasRetriedWhenTheFaultIsTheExecutorsEndItself() throws Exception {
    String plan =
        """
        version: 1
        seed: 7
        rules:
          - {point: executor.exit, fault: halt, when: {nth: 1}, where: {stage: 0, partition: 1}}
        """;
    ChaosReport report =
        run("halted", plan, "local-cluster[2,1,1024]", 0, "spark.eventLog.enabled=true");
    assertThat(report.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.point()).isEqualTo("executor.exit");
              assertThat(fault.outcome()).isEqualTo(Outcome.RETRIED);
            });
    assertThat(report.executorsLost()).singleElement().satisfies(ReportedJobIT::wasKilled);
  }

  private static void wasKilled(ExecutorLost lost) {
    assertThat(lost.exitCode()).isEqualTo(137);
  }

  private void assertSameSet(ChaosReport report, String here, String there) {
    ChaosReport against =
        RunReader.of(dir.resolve(here).resolve("out"), Optional.empty())
            .report(Optional.of(RunReader.of(dir.resolve(there).resolve("out"), Optional.empty())));
    assertThat(against.against().onlyHere()).isEmpty();
    assertThat(against.against().onlyThere()).isEmpty();
    assertThat(report.firedDigest()).isEqualTo(against.against().firedDigest());
  }

  /** Runs the job under a plan to its end, and reports. */
  private ChaosReport run(
      String name, String plan, String master, int expectedExit, String... settings)
      throws IOException, InterruptedException {
    Path work = Files.createDirectories(dir.resolve(name));
    Path out = Files.createDirectories(work.resolve("out"));
    Path events = Files.createDirectories(work.resolve("events"));
    Path planFile = Files.writeString(work.resolve("plan.yaml"), plan);
    String agent = "-javaagent:%s=plan=%s,out=%s".formatted(layout().agentJar(), planFile, out);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().strip().split("\\s+", -1)));
    command.add("-Xmx512m");
    command.add("-Djava.io.tmpdir=" + work);
    if (master.startsWith("local[")) {
      command.add(agent);
    }
    command.add("-cp");
    command.add(classPath());
    command.add(JobUnderChaos.class.getName());
    command.add(master);
    command.add("spark.local.dir=" + work.resolve("local"));
    command.add("spark.eventLog.dir=" + events.toUri());
    command.add("spark.executor.cores=1");
    command.add("spark.executor.memory=512m");
    command.add("spark.executor.extraJavaOptions=" + agent);
    command.addAll(List.of(settings));
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    Path log = work.resolve("log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(sparkHome(work));
    Process process = builder.start();
    try {
      if (name.equals("killed")) {
        killTheExecutorThatFired(out);
      }
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("the job ends").isTrue();
      assertThat(process.exitValue()).as(() -> tail(log)).isEqualTo(expectedExit);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      FileTrees.remove(work.resolve("spark/jars"));
    }
    return RunReader.of(out, eventLog(events)).report(Optional.empty());
  }

  private static void killTheExecutorThatFired(Path out) throws IOException {
    Awaitility.await("a fault in an executor")
        .atMost(Duration.ofMinutes(3))
        .until(() -> firedIn(out).isPresent());
    ProcessHandle.of(firedIn(out).orElseThrow()).orElseThrow().destroyForcibly();
  }

  /** The process whose agent has written down a fault. */
  private static Optional<Long> firedIn(Path out) throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("fired-") && Files.size(file) > 0) {
          return Optional.of(Long.parseLong(name.replaceAll("\\D", "")));
        }
      }
      return Optional.empty();
    }
  }

  private static Optional<Path> eventLog(Path events) throws IOException {
    try (Stream<Path> files = Files.list(events)) {
      return files.findFirst();
    }
  }

  private static Map<String, String> sparkHome(Path work) throws IOException {
    return SparkHome.create(work.resolve("spark"), layout().sparkJars()).environment();
  }

  private static ProjectLayout layout() {
    return ProjectLayout.at(Path.of(System.getProperty("spillway.home")));
  }

  /** The job and Spark: no Spillway, so that task.batch counts Spark's own checks. */
  private static String classPath() {
    List<String> entries = new ArrayList<>();
    entries.add(
        Path.of(System.getProperty("spillway.home"), "test-suites/target/test-classes").toString());
    layout().sparkJars().forEach(jar -> entries.add(jar.toString()));
    return String.join(File.pathSeparator, entries);
  }

  private static String tail(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
