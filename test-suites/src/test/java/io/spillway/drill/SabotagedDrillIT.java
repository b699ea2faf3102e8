package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A drill that cannot fail proves nothing: with the clean-up broken it must. */
class SabotagedDrillIT {
  @TempDir private Path directory;

  @Test
  void shouldFailAndNameTheOwnerWhenTheCleanUpIsBroken() throws IOException, InterruptedException {
    DrillProcess drill = DrillProcess.in(directory);
    Path agent = CleanUpSaboteur.jar(directory);

    DrillProcess.Result result =
        drill.run(
            Map.of("JAVA_TOOL_OPTIONS", "-javaagent:" + agent),
            "--scale",
            "0.01",
            "--master",
            "local-cluster[2,1,1024]",
            "--seed",
            "7");

    assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
    assertThat(result.output())
        .containsPattern(
            "FAILED .*executor \\d+ ended with \\d+ native bytes in use, owned by task");
    assertThat(drill.report().get("ok").asBoolean()).isFalse();
    assertThat(drill.report().get("leakedBytes").asLong()).isPositive();
  }
}
