package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
    ForkedJvm jvm =
        new ForkedJvm(dir)
            .classPath(job + ":" + ForkedJvm.sparkClassPath())
            .sparkHome(job)
            .option("-Dspark.master=local-cluster[2,1,1024]")
            .option("-Dspark.app.name=cluster-job")
            .option("-Dspark.executor.memory=512m")
            .option("-Dspark.driver.host=localhost")
            .option("-Dspark.driver.bindAddress=127.0.0.1");
    for (String setting : settings) {
      jvm.option(setting);
    }
    ForkedJvm.Outcome outcome =
        jvm.run(
            ClusterJob.class.getName(), Files.createDirectory(dir.resolve("meeting")).toString());
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.out()).as(outcome.text()).hasSize(16).anyMatch(l -> l.contains("or 0,"));
    assertThat(outcome.out().stream().filter(line -> line.endsWith("attempt 1"))).hasSize(2);
    // The driver has no agent, and still it knows why a task failed.
    assertThat(outcome.text())
        .contains("java.lang.RuntimeException: injected failure: task.start")
        .doesNotContain("Could not deserialize");
    List<JsonNode> fired = new ArrayList<>();
    List<JsonNode> points = new ArrayList<>();
    try (Stream<Path> files = Files.list(dir.resolve("out"))) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().startsWith("fired-")) {
          fired.addAll(ChaosFixture.fired(file));
        } else if (file.getFileName().toString().startsWith("points-")) {
          points.add(ChaosFixture.json(file));
        }
      }
    }
    assertThat(points).as("a file of counts for each executor").hasSize(2);
    assertThat(points)
        .allMatch(counts -> ChaosFixture.point(counts, "task.start").get("reached").asLong() > 0);
    assertThat(fired).hasSize(2).allMatch(line -> line.get("executor").asText().equals("1"));
  }
}
