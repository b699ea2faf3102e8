package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.drill.ChildJvm;
import io.spillway.drill.ProjectLayout;
import io.spillway.drill.SoakJob;
import io.spillway.report.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A hundred queries in one session under random faults, once for each seed: all answers are right,
 * what fails does so cleanly and is right when it runs again, and the process does not grow.
 */
@Tag("soak")
class SoakIT {
  private static final int QUERIES = Integer.getInteger("spillway.soak.queries", 100);
  private static final String SCALE = "0.02";
  private static final long LONGEST_MINUTES = 55;

  /**
   * First attempts only, so that most jobs finish; but of every ten queries, whichever they are,
   * two meet a fault that every attempt meets too, and a third one if it spills.
   */
  private static final String PLAN =
      """
      version: 1
      seed: %d
      rules:
        - {point: kernel.state, fault: error, when: {from: 20}, where: {label: "soak-*3", attempts: all}}
        - {point: task.batch, fault: exception, when: {from: 4}, where: {label: "soak-*7", attempts: all}}
        - {point: spill.write, fault: disk-full, when: {from: 3}, where: {label: "soak-*9", attempts: all}}
        - {point: memory.acquire, fault: {short-grant: {share: 0.5}}, when: {probability: 0.02}, where: {label: "soak-*"}, limits: {perTask: 5}}
        - {point: native.alloc, fault: out-of-memory, when: {probability: 0.005}, where: {label: "soak-*"}}
        - {point: native.register, fault: error, when: {probability: 0.0005}, where: {label: "soak-*"}}
        - {point: kernel.call, fault: error, when: {probability: 0.0005}, where: {label: "soak-*"}}
        - {point: kernel.state, fault: error, when: {probability: 0.0005}, where: {label: "soak-*"}}
        - {point: spill.open, fault: disk-full, when: {probability: 0.01}, where: {label: "soak-*"}}
        - {point: spill.write, fault: disk-full, when: {probability: 0.002}, where: {label: "soak-*"}}
        - {point: spill.read, fault: flipped-byte, when: {probability: 0.002}, where: {label: "soak-*"}}
        - {point: shuffle.fetch, fault: fetch-failure, when: {probability: 0.003}, where: {label: "soak-*"}}
        - {point: task.start, fault: exception, when: {probability: 0.03}, where: {label: "soak-*"}}
        - {point: task.batch, fault: kill, when: {probability: 0.003}, where: {label: "soak-*"}}
        - {point: task.end, fault: exception, when: {probability: 0.02}, where: {label: "soak-*"}}
      """;

  /** Too few queries need not have one that fails. */
  private static final int ENOUGH_TO_FAIL = 20;

  private static final List<SoakReport> REPORTS = new ArrayList<>();

  @TempDir private Path work;

  /** Those that {@code spillway.soak.seeds} names, with commas between them, or two at random. */
  static LongStream seeds() {
    String named = System.getProperty("spillway.soak.seeds", "");
    return named.isBlank()
        ? new Random().longs(2, 0, 1 << 24)
        : Arrays.stream(named.split(",", -1)).map(String::strip).mapToLong(Long::parseLong);
  }

  @AfterAll
  static void shouldHaveSeenQueriesFailCleanly() {
    assertThat(REPORTS)
        .filteredOn(report -> report.queries() >= ENOUGH_TO_FAIL)
        .as("queries that failed cleanly, and were right when they ran again")
        .allSatisfy(report -> assertThat(report.failedCleanly()).isPositive());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void shouldAnswerRightAndNotGrowWhenManyQueriesRunUnderRandomFaults(long seed) throws Exception {
    System.out.println("the soak's seed is " + seed);
    long startedNanos = System.nanoTime();

    SoakJob.Outcome outcome = run(seed);

    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    List<SoakJob.Query> queries = outcome.queries();
    long faults = firedLines();
    List<Long> secondHalf =
        queries.subList(queries.size() / 2, queries.size()).stream()
            .map(query -> query.residentBytes() - query.jvmBytes())
            .toList();
    Growth growth = Growth.of(secondHalf);
    System.out.println("resident memory that is not the JVM's own: " + growth);
    SoakReport report =
        new SoakReport(
            seed,
            queries.size(),
            queries.stream().filter(query -> !query.failed().isEmpty()).count(),
            queries.stream().filter(query -> !query.problem().isEmpty()).count(),
            faults,
            Math.round(seconds),
            growth,
            queries.stream().map(SoakJob.Query::residentBytes).toList(),
            queries.stream().map(SoakJob.Query::jvmBytes).toList());
    REPORTS.add(report);
    Json.write(ProofFolder.path().resolve("soak.json"), REPORTS);
    assertThat(queries).hasSize(QUERIES);
    assertThat(queries)
        .as("seed %d", seed)
        .allSatisfy(query -> assertThat(query.problem()).as(query.toString()).isEmpty());
    assertThat(faults).as("seed %d: faults that fired", seed).isGreaterThan(QUERIES);
    assertThat(growth.grows())
        .as("seed %d: resident memory beside the JVM's own grows: %s", seed, growth)
        .isFalse();
  }

  private SoakJob.Outcome run(long seed) throws IOException, InterruptedException {
    ProjectLayout layout = ProjectLayout.at(Path.of(System.getProperty("spillway.home")));
    Path plan = Files.writeString(work.resolve("plan.yaml"), PLAN.formatted(seed));
    Path file = work.resolve("outcome.json");
    List<String> command = ChildJvm.command(classPath(layout), work, 1024);
    // The heap is all there from the start, and code and classes, which grow as long as queries are
    // new, are known: what grows besides is native memory.
    command.add("-XX:NativeMemoryTracking=summary");
    command.addAll(List.of("-Xms1g", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
    command.add(
        "-javaagent:" + layout.agentJar() + "=plan=" + plan + ",out=" + work.resolve("out"));
    command.addAll(
        List.of(
            "-Dspark.master=local[2,4]",
            "-Dspark.app.name=soak",
            "-Dspark.plugins=io.spillway.SpillwayPlugin",
            "-Dspark.memory.offHeap.enabled=true",
            "-Dspark.memory.offHeap.size=8m",
            "-Dspark.sql.shuffle.partitions=4",
            "-Dspark.sql.session.timeZone=UTC",
            "-Dspark.sql.datetime.java8API.enabled=true",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-Dspark.local.dir=" + work.resolve("local"),
            "-Dspark.sql.warehouse.dir=" + work.resolve("warehouse")));
    command.add(SoakJob.class.getName());
    command.addAll(List.of(Path.of("target").toAbsolutePath().toString(), SCALE));
    command.addAll(List.of(Long.toString(seed), Integer.toString(QUERIES), file.toString()));
    Path log = work.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly().onExit().join();
    }
    assertThat(process.exitValue()).as(() -> tail(log)).isZero();
    return Json.read(file, SoakJob.Outcome.class);
  }

  private static String classPath(ProjectLayout layout) {
    List<Path> entries = new ArrayList<>();
    entries.add(
        Path.of(System.getProperty("spillway.home"), "test-suites", "target", "test-classes"));
    entries.add(layout.drillJar());
    entries.add(layout.pluginJar());
    entries.addAll(layout.drillJars());
    entries.addAll(layout.sparkJars());
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private long firedLines() throws IOException {
    long lines = 0;
    try (Stream<Path> files = Files.list(work.resolve("out"))) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("fired-")) {
          lines += Files.readAllLines(file).size();
        }
      }
    }
    return lines;
  }

  private static String tail(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 80), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
