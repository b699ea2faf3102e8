package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent against a real native engine that is not ours: Comet with its native library. */
class CometIT {
  private static final Path COMET = Path.of(System.getProperty("comet.jar"));

  @TempDir Path dir;

  @ParameterizedTest(name = "{1} at {0}")
  @CsvSource({
    "comet.acquire, '{short-grant: {share: 0.5}}', Not enough memory",
    "comet.acquire, '{short-grant: {share: 0}}', Not enough memory",
    "arrow.alloc, out-of-memory, org.apache.comet.shaded.arrow.memory.OutOfMemoryException",
  })
  void shouldFailAttemptsAndGiveTheRightResultWhenCometHasLessMemory(
      String point, String fault, String failure) throws Exception {
    ForkedJvm.Outcome job = run("{point: " + point + ", fault: " + fault + ", when: {nth: 1}}");
    assertThat(job.exitCode()).as(job.text()).isZero();
    assertThat(job.out())
        .contains("right")
        .anyMatch(line -> line.matches("comet operators [1-9].*"));
    JsonNode counts = ChaosFixture.point(counts(), point);
    assertThat(counts.get("reason")).isNull();
    int fired = counts.get("fired").asInt();
    assertThat(fired).isPositive();
    // Comet 0.12.0 rides out some short grants; what it does not, fails that attempt alone.
    assertThat(job.out())
        .filteredOn(line -> line.startsWith("failed: "))
        .hasSizeBetween(1, fired)
        .allMatch(line -> line.contains(failure));
  }

  private JsonNode counts() throws Exception {
    try (Stream<Path> files = Files.list(dir.resolve("out"))) {
      return ChaosFixture.json(
          files
              .filter(file -> file.getFileName().toString().startsWith("points-"))
              .findFirst()
              .orElseThrow());
    }
  }

  private ForkedJvm.Outcome run(String rule) throws Exception {
    String yaml = "version: 1\nseed: 7\nrules:\n  - " + rule + "\n";
    Path plan = Files.writeString(dir.resolve("plan.yaml"), yaml);
    return new ForkedJvm(dir)
        .classPath(COMET + File.pathSeparator + ForkedJvm.classPathWithoutTheModule())
        .option("-Xmx1g")
        .agent("plan=" + plan + ",out=" + dir.resolve("out"))
        .run(CometJob.class.getName(), dir.resolve("data").toString());
  }
}
