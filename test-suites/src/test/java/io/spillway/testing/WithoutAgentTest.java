package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that no agent can be attached to. */
class WithoutAgentTest {
  @TempDir Path dir;

  @Test
  void shouldAbortVisiblyWhenNoAgentCanBeAttached() throws Exception {
    assertThat(launch(false, "-XX:+DisableAttachMechanism"))
        .filteredOn(line -> line.contains("without a fault"))
        .hasSize(4)
        .allMatch(line -> line.startsWith("ABORTED"))
        .allMatch(line -> line.contains("an agent cannot be attached to this JVM"));
  }

  @Test
  void shouldFailInCiWhenNoAgentCanBeAttached() throws Exception {
    assertThat(launch(true, "-XX:+DisableAttachMechanism"))
        .filteredOn(line -> line.contains("without a fault"))
        .hasSize(4)
        .allMatch(line -> line.startsWith("FAILED"))
        .allMatch(line -> line.contains("That fails tests in CI"));
  }

  private List<String> launch(boolean ci, String option) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            option,
            "-Xmx256m",
            "-Dspillway.testing.out=" + dir,
            "-Djava.io.tmpdir=" + dir,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            LaunchedTests.class.getName(),
            SweepCases.Sound.class.getName()));
    Path out = dir.resolve("stdout");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(dir.resolve("stderr").toFile());
    builder.environment().put("CI", Boolean.toString(ci));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("the JVM ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(dir.resolve("stderr"))).isZero();
    return Files.readAllLines(out);
  }
}
