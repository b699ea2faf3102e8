package io.spillway.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.drill.DrillProcess;
import io.spillway.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison itself, with jars as they were packaged. */
class CompareIT {
  @TempDir private Path directory;

  @Test
  void shouldTellWhatBecameOfSparkAndOfSpillwayUnderTheSameFaults() throws Exception {
    JsonNode report = compare("spark,spillway", "0.01", "local[1,4]");
    assertThat(report.get("engines")).hasSize(2);
    for (JsonNode engine : report.get("engines")) {
      assertThat(engine.get("driverExit").asInt()).isZero();
      assertThat(engine.at("/chaos/executorsLost")).isEmpty();
      assertThat(engine.at("/chaos/leakedBytes").asLong()).isZero();
      assertThat(engine.at("/chaos/fired").asInt()).isPositive();
      for (JsonNode query : engine.get("queries")) {
        assertThat(query.get("result").asText()).as("%s", query).isEqualTo("equal");
      }
      for (JsonNode fault : engine.at("/chaos/faults")) {
        assertThat(fault.get("outcome").asText()).as("%s", fault).isIn("recovered", "retried");
      }
    }
    assertThat(ownOperators(report, 0)).isZero();
    assertThat(ownOperators(report, 1)).isPositive();
  }

  /** Whatever becomes of Comet: it was there, faults reached it, and each query has a word. */
  @Test
  @Tag("soak")
  void shouldTellWhatBecameOfCometUnderTheSameFaults() throws Exception {
    JsonNode report = compare("spark,spillway,comet", "0.1", "local-cluster[2,1,1024]");
    JsonNode comet = report.at("/engines/2");
    assertThat(comet.get("engine").asText()).isEqualTo("comet");
    assertThat(comet.at("/chaos/fired").asInt()).isPositive();
    for (JsonNode jvm : comet.at("/chaos/jvms")) {
      assertThat(jvm.get("disarmed").isNull()).as("%s", jvm).isTrue();
    }
    assertThat(comet.get("queries")).hasSize(3);
    for (JsonNode query : comet.get("queries")) {
      assertThat(query.get("result").asText()).isIn("equal", "different", "failed", "not run");
    }
    assertThat(ownOperators(report, 2)).isPositive();
  }

  private static int ownOperators(JsonNode report, int engine) {
    int count = 0;
    for (JsonNode query : report.at("/engines/" + engine + "/queries")) {
      count += query.get("foreignOperators").asInt();
    }
    return count;
  }

  private JsonNode compare(String engines, String scale, String master)
      throws IOException, InterruptedException {
    DrillProcess process = DrillProcess.in(directory);
    DrillProcess.Result result =
        process.run(
            "io.spillway.cli.ChaosCommand",
            Map.of(),
            "compare",
            "--engines",
            engines,
            "--scale",
            scale,
            "--memory",
            "64m",
            "--master",
            master);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return Json.MAPPER.readTree(process.home().resolve("target/compare/report.json").toFile());
  }
}
