package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged agent beside jars and agents that have reasons to disturb it. */
class ClassLoadingIT {
  private static final String PLAN =
      """
      version: 1
      seed: 7
      rules:
        - {point: native.alloc, fault: out-of-memory, when: {nth: 3}, where: {partition: 1}}
        - {point: task.batch, fault: exception, when: {nth: 2}, where: {partition: 2}}
      """;
  private static final List<String> INJECTED =
      List.of(
          "attempt 0 denied 0", "attempt 0 denied 1", "attempt 1 denied 0", "attempt 0 denied 0");

  private static final Path LIBRARIES = Path.of(System.getProperty("beside.directory"));

  @TempDir Path dir;

  @ParameterizedTest(name = "user class path first: {0}")
  @ValueSource(booleans = {false, true})
  void shouldFireInClassesThatComeWithJars(boolean userFirst) throws Exception {
    Path seams = ForkedJvm.jar(dir.resolve("seams.jar"), List.of("io/spillway/memory"));
    Path job = ForkedJvm.jar(dir.resolve("job.jar"), List.of("io/spillway/chaos"));
    ForkedJvm.Outcome outcome =
        new ForkedJvm(dir)
            .agent(argument())
            .classPath(ForkedJvm.sparkClassPath())
            .run(
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local[1,4]",
                "--conf",
                "spark.driver.userClassPathFirst=" + userFirst,
                "--class",
                ForkedJob.class.getName(),
                "--jars",
                seams.toString(),
                job.toString());
    assertInjected(outcome);
  }

  @Test
  void shouldLeaveTheByteBuddyOfAnUberJarAlone() throws Exception {
    Path other = LIBRARIES.resolve("byte-buddy.jar");
    Path uber =
        ForkedJvm.jar(
            dir.resolve("uber.jar"), List.of("io/spillway/chaos", "io/spillway/memory"), other);
    ForkedJvm.Outcome outcome =
        new ForkedJvm(dir)
            .agent(argument())
            .classPath(uber + ":" + ForkedJvm.sparkClassPath())
            .run(UberJob.class.getName());
    assertThat(outcome.out()).as(outcome.text()).contains("made by " + uber.toUri().toURL());
    assertInjected(outcome);
  }

  @ParameterizedTest(name = "ours first: {0}")
  @ValueSource(booleans = {false, true})
  void shouldFireBesideTheOpenTelemetryAgent(boolean oursFirst) throws Exception {
    String other = "-javaagent:" + LIBRARIES.resolve("opentelemetry-javaagent.jar");
    ForkedJvm jvm = new ForkedJvm(dir);
    if (oursFirst) {
      jvm.agent(argument()).option(other);
    } else {
      jvm.option(other).agent(argument());
    }
    for (String signal : List.of("TRACES", "METRICS", "LOGS")) {
      jvm.variable("OTEL_" + signal + "_EXPORTER", "none");
    }
    ForkedJvm.Outcome outcome =
        jvm.option("-Dotel.javaagent.debug=true").run(ForkedJob.class.getName());
    assertThat(outcome.text())
        .contains("opentelemetry-javaagent - version: 2.15.0")
        .contains("Transformed ");
    assertInjected(outcome);
  }

  private void assertInjected(ForkedJvm.Outcome outcome) throws IOException {
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    List<String> attempts = new ArrayList<>(outcome.out());
    attempts.removeIf(line -> !line.startsWith("attempt "));
    assertThat(attempts).as(outcome.text()).isEqualTo(INJECTED);
    assertThat(outcome.text()).doesNotContain("is disarmed");
    assertThat(ChaosFixture.fired(dir.resolve("out/fired-" + outcome.pid() + ".jsonl"))).hasSize(2);
  }

  private String argument() throws IOException {
    Path file = Files.writeString(dir.resolve("plan.yaml"), PLAN);
    return "plan=" + file + ",out=" + dir.resolve("out");
  }
}
