package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drill itself, small, in one JVM for each pass. */
class DrillIT {
  private static final String[] SMALL = {
    "--scale", "0.05", "--memory", "2m", "--master", "local[1,4]", "--seed", "7"
  };

  @TempDir private Path directory;

  @Test
  void shouldEndWellAndFireTheSameFaultsWhenRunTwice() throws IOException, InterruptedException {
    DrillProcess drill = DrillProcess.in(directory);

    DrillProcess.Result first = drill.run(Map.of(), SMALL);
    assertThat(first.exitCode()).as(first.output()).isZero();
    JsonNode report = drill.report();
    assertThat(report.get("ok").asBoolean()).isTrue();
    assertThat(report.get("seed").asLong()).isEqualTo(7);
    assertThat(report.get("leakedBytes").asLong()).isZero();
    assertThat(report.get("executorsLost").asInt()).isZero();
    assertThat(report.get("points"))
        .hasSize(4)
        .allSatisfy(point -> assertThat(point.get("fired").asLong()).isPositive());
    for (JsonNode query : report.at("/passes/1/queries")) {
      assertThat(query.get("resultEqual").asBoolean()).isTrue();
      assertThat(query.get("nativeOperators").asInt()).as(query.toString()).isPositive();
    }
    assertThat(spilledBytes(report, 1, "per-order")).isPositive();
    assertThat(drill.page()).content().contains("per-order").contains("Fault points");
    drill.assertNoWorkFiles();

    DrillProcess.Result second = drill.run(Map.of(), SMALL);
    assertThat(second.exitCode()).as(second.output()).isZero();
    assertThat(drill.report().get("firedDigest")).isEqualTo(report.get("firedDigest"));
    assertThat(drill.report().get("fired")).hasSameSizeAs(report.get("fired"));
  }

  private static long spilledBytes(JsonNode report, int pass, String name) {
    for (JsonNode query : report.at("/passes/" + pass + "/queries")) {
      if (query.get("name").asText().equals(name)) {
        return query.get("spilledBytes").asLong();
      }
    }
    throw new AssertionError("no query " + name + " in " + report);
  }
}
