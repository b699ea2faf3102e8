package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that no agent can be attached to. */
class WithoutAgentTest {
  @TempDir Path dir;

  @Test
  void shouldAbortVisiblyWhenNoAgentCanBeAttached() throws Exception {
    assertThat(launch(false))
        .filteredOn(line -> line.contains("without a fault"))
        .hasSize(4)
        .allMatch(line -> line.startsWith("ABORTED"))
        .allMatch(line -> line.contains("an agent cannot be attached to this JVM"));
  }

  @Test
  void shouldFailInCiWhenNoAgentCanBeAttached() throws Exception {
    assertThat(launch(true))
        .filteredOn(line -> line.contains("without a fault"))
        .hasSize(4)
        .allMatch(line -> line.startsWith("FAILED"))
        .allMatch(line -> line.contains("That fails tests in CI"));
  }

  private List<String> launch(boolean ci) throws Exception {
    LaunchedJvm jvm =
        LaunchedJvm.run(
            dir, ci, SweepCases.Sound.class, List.of("-XX:+DisableAttachMechanism", "-Xmx256m"));
    assertThat(jvm.exitCode()).as(jvm.err()).isZero();
    return jvm.out();
  }
}
