package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.report.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A drill in a JVM of its own, with the jars that the modules have been packaged into.
 *
 * @param home a checkout that shares its modules with this one and keeps its own reports
 */
public record DrillProcess(Path home) {
  private static final List<String> MODULES =
      List.of("memory-manager", "native-ops", "chaos", "test-suites", "pom.xml", "spillway");

  /** Makes such a checkout out of links. The folder's name has a space in it on purpose. */
  public static DrillProcess in(Path directory) throws IOException {
    Path checkout = Path.of(System.getProperty("spillway.home")).toAbsolutePath();
    Path home = Files.createDirectories(directory.resolve("a checkout"));
    for (String module : MODULES) {
      Files.createSymbolicLink(home.resolve(module), checkout.resolve(module));
    }
    return new DrillProcess(home);
  }

  /** How a drill ended. */
  public record Result(int exitCode, String output) {}

  /** Runs a drill to its end. */
  Result run(Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    return run(DrillCommand.class.getName(), environment, options);
  }

  /** Runs a command of this module to its end. */
  public Result run(String main, Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    ProjectLayout layout = ProjectLayout.at(home);
    List<Path> jars = new ArrayList<>(List.of(layout.drillJar(), layout.agentJar()));
    jars.addAll(layout.drillJars());
    jars.addAll(layout.sparkJars());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-Dspillway.home=" + home);
    command.add("-cp");
    command.add(String.join(":", jars.stream().map(Path::toString).toList()));
    command.add(main);
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  JsonNode report() throws IOException {
    return Json.MAPPER.readTree(home.resolve("target/drill/report.json").toFile());
  }

  Path page() {
    return home.resolve("target/drill/report.html");
  }

  void assertNoWorkFiles() throws IOException {
    try (Stream<Path> files = Files.walk(home.resolve("target/drill/work"))) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }
}
