package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packaged agent and the packaged plugin in one JVM, in every order. */
class PluginBesideAgentIT {
  private static final Path HOME = Path.of(System.getProperty("spillway.home"));

  @TempDir Path dir;

  /** How the plugin comes to the JVM. */
  enum Arrangement {
    PLUGIN_FIRST,
    AGENT_FIRST,
    PLUGIN_BY_JARS
  }

  @ParameterizedTest
  @EnumSource(Arrangement.class)
  void shouldFireInsideThePluginsClasses(Arrangement arrangement) throws Exception {
    Path agent = built("chaos", "spillway-chaos-agent-");
    Path plugin = built("native-ops", "spillway-plugin-");
    Path plan =
        Files.writeString(
            dir.resolve("plan.yaml"),
            """
            version: 1
            seed: 7
            rules:
              - {point: native.alloc, fault: {delay: {millis: 1}}, when: {nth: 1}}
              - {point: task.batch, fault: exception, when: {nth: 1}, where: {partition: 1}}
            """);
    String spark =
        Files.readString(HOME.resolve("test-suites/target/class-path/spark.txt")).strip();
    String job = HOME.resolve("test-suites/target/test-classes").toString();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("spark.module.options").split(" ")));
    command.add("-Xmx512m");
    command.add("-javaagent:" + agent + "=plan=" + plan + ",out=" + dir.resolve("out"));
    command.addAll(
        List.of(
            "-Dspark.master=local[2,4]",
            "-Dspark.app.name=plugin-beside-agent",
            "-Dspark.plugins=io.spillway.SpillwayPlugin",
            "-Dspark.memory.offHeap.enabled=true",
            "-Dspark.memory.offHeap.size=256m",
            "-Dspark.sql.shuffle.partitions=2",
            "-Dspark.sql.adaptive.enabled=false",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=localhost",
            "-Dspark.driver.bindAddress=127.0.0.1"));
    command.add("-cp");
    command.add(
        switch (arrangement) {
          case PLUGIN_FIRST -> String.join(":", plugin.toString(), agent.toString(), job, spark);
          case AGENT_FIRST -> String.join(":", agent.toString(), plugin.toString(), job, spark);
          case PLUGIN_BY_JARS -> String.join(":", job, spark);
        });
    command.addAll(
        arrangement == Arrangement.PLUGIN_BY_JARS
            ? List.of(
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local[2,4]",
                "--jars",
                plugin.toString(),
                "--class",
                PluginJob.class.getName(),
                "spark-internal")
            : List.of(PluginJob.class.getName()));
    Path out = dir.resolve("stdout");
    Path err = dir.resolve("stderr");
    Process process =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("the forked JVM ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    assertThat(Files.readAllLines(out))
        .contains("sum 166833", "sum 166167", "sum 166500", "native true");
    assertThat(Files.readString(err)).doesNotContain("is disarmed");
    JsonNode counts =
        new ObjectMapper().readTree(dir.resolve("out/points-" + process.pid() + ".json").toFile());
    for (JsonNode point : counts.get("points")) {
      if (point.get("armed").asBoolean()) {
        assertThat(point.get("fired").asLong()).as("%s", point).isPositive();
      }
    }
  }

  private static Path built(String module, String name) throws IOException {
    try (Stream<Path> files = Files.list(HOME.resolve(module).resolve("target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(name + "[0-9].*\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }
}
