package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors that are processes of their own get agent and plan from Spark's settings alone. */
class ExecutorAgentIT {
  private static final String PLAN =
      "{version: 1, seed: 7, rules: [{point: task.start, fault: exception, when: {nth: 1},"
          + " where: {executor: 1, application: cluster-*}, limits: {total: 2}}]}";

  @TempDir Path dir;

  @Test
  void shouldFireInTheNamedExecutorWhenOneLineHoldsAgentAndPlan() throws Exception {
    run(
        "-Dspark.executor.extraJavaOptions=\"-javaagent:%s=plan=%s,out=%s\""
            .formatted(ForkedJvm.AGENT, PLAN, dir.resolve("out")));
  }

  @Test
  void shouldFireInTheNamedExecutorWhenTheSettingsAreEnvironmentVariables() throws Exception {
    Path plan = Files.writeString(dir.resolve("plan.yaml"), PLAN);
    Path settings = Files.writeString(dir.resolve("chaos.yaml"), "plan: plan.yaml\nout: out\n");
    assertThat(plan).exists();
    run(
        "-Dspark.executor.extraJavaOptions=-javaagent:" + ForkedJvm.AGENT,
        "-Dspark.executorEnv.SPILLWAY_CHAOS_CONFIG=" + settings);
  }

  private void run(String... settings) throws Exception {
    Path job = ForkedJvm.jar(dir.resolve("job.jar"), List.of("io/spillway/chaos"));
    Path home = sparkHome(job);
    ForkedJvm jvm =
        new ForkedJvm(dir)
            .classPath(job + ":" + ForkedJvm.sparkClassPath())
            .variable("SPARK_HOME", home.toString())
            .variable("SPARK_SCALA_VERSION", "2.12")
            .option("-Dspark.master=local-cluster[2,1,1024]")
            .option("-Dspark.app.name=cluster-job")
            .option("-Dspark.executor.memory=512m")
            .option("-Dspark.driver.host=localhost")
            .option("-Dspark.driver.bindAddress=127.0.0.1");
    for (String setting : settings) {
      jvm.option(setting);
    }
    ForkedJvm.Outcome outcome = jvm.run(ClusterJob.class.getName());
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.out()).as(outcome.text()).hasSize(16).anyMatch(l -> l.contains("or 0,"));
    assertThat(outcome.out().stream().filter(line -> line.endsWith("attempt 1"))).hasSize(2);
    List<JsonNode> fired = new ArrayList<>();
    List<JsonNode> points = new ArrayList<>();
    try (Stream<Path> files = Files.list(dir.resolve("out"))) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().startsWith("fired-")) {
          fired.addAll(ChaosFixture.fired(file));
        } else if (file.toString().endsWith(".json")) {
          points.add(ChaosFixture.json(file));
        }
      }
    }
    assertThat(points).as("a file of counts for each executor").hasSize(2);
    assertThat(points)
        .allMatch(counts -> ChaosFixture.point(counts, "task.start").get("reached").asLong() > 0);
    assertThat(fired).hasSize(2).allMatch(line -> line.get("executor").asText().equals("1"));
  }

  /** A Spark installation of links to the jars of the class path. */
  private Path sparkHome(Path job) throws IOException {
    Path home = dir.resolve("spark");
    Path jars = Files.createDirectories(home.resolve("jars"));
    Files.createFile(home.resolve("RELEASE"));
    List<String> all =
        new ArrayList<>(List.of(ForkedJvm.sparkClassPath().split(File.pathSeparator, -1)));
    all.add(job.toString());
    for (String jar : all) {
      Path file = Path.of(jar);
      Files.createSymbolicLink(jars.resolve(file.getFileName()), file.toAbsolutePath());
    }
    return home;
  }
}
