package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program of this module's tests in a JVM of its own and waits for its end. */
record ForkedProgram(int exitCode, List<String> out, String text) {
  private static final long MOST_MINUTES = 10;

  /** The class path's jars, without those that only the agent has. */
  static List<Path> jars() {
    return entries()
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> !entry.matches(".*/(spillway-chaos|byte-buddy|snakeyaml)[^/]*\\.jar"))
        .map(Path::of)
        .toList();
  }

  /** Where this module's test classes are. */
  static Path testClasses() {
    return entries()
        .filter(entry -> entry.endsWith("test-classes"))
        .map(Path::of)
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> entries() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(path.split(File.pathSeparator, -1));
  }

  /**
   * Runs it.
   *
   * @param directory where it works and its output goes
   * @param options of the JVM, beside what Spark needs
   */
  static ForkedProgram run(
      Path directory,
      List<Path> classPath,
      Map<String, String> environment,
      List<String> options,
      Class<?> program,
      String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("spark.module.options").split(" ")));
    command.addAll(options);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    Path out = directory.resolve("stdout");
    Path err = directory.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)).as("the JVM ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new ForkedProgram(process.exitValue(), Files.readAllLines(out), Files.readString(err));
  }
}
