package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@link LaunchedTests} in a JVM of its own.
 *
 * @param out a line for each invocation: its status, method, name and message
 */
record LaunchedJvm(int exitCode, List<String> out, String err) {

  /**
   * Runs a class's tests to the end.
   *
   * @param dir for its reports and temporary files
   * @param ci whether the JVM takes itself for one of a CI
   * @param options of the JVM
   */
  static LaunchedJvm run(Path dir, boolean ci, Class<?> tests, List<String> options)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-Dspillway.testing.out=" + dir,
            "-Djava.io.tmpdir=" + dir,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            LaunchedTests.class.getName(),
            tests.getName()));
    Path out = dir.resolve("stdout");
    Path err = dir.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("CI", Boolean.toString(ci));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("the JVM ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new LaunchedJvm(process.exitValue(), Files.readAllLines(out), Files.readString(err));
  }
}
