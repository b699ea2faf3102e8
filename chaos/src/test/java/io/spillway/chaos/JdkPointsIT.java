package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent changes classes of the JDK that were loaded before it came. */
class JdkPointsIT {
  @TempDir Path dir;

  @Test
  void shouldHitTheNamedCallAndNothingOfTheJvmsOwnWhenArmedFromTheStart() throws Exception {
    Path plan =
        Files.writeString(
            dir.resolve("plan.yaml"),
            """
            version: 1
            seed: 7
            rules:
              - {point: jdk.direct, fault: out-of-memory, when: {nth: 3}, where: {partition: 0}}
              - {point: jdk.unsafe, fault: out-of-memory, when: {nth: 4}, where: {partition: 1}}
            """);
    ForkedJvm.Outcome job =
        new ForkedJvm(dir)
            .agent("plan=" + plan + ",out=" + dir.resolve("out"))
            .run(JdkJob.class.getName());
    assertThat(job.exitCode()).as(job.text()).isZero();
    assertThat(job.out()).hasSize(2);
    // A direct buffer passes both layers; each counts its own.
    assertThat(job.out().get(0))
        .startsWith("block 3: Cannot reserve 4096 bytes (injected: jdk.direct, call 3");
    assertThat(job.out().get(1))
        .startsWith("block 4: Unable to allocate 4096 bytes (injected: jdk.unsafe, call 4");
    try (Stream<Path> files = Files.list(dir.resolve("out"))) {
      JsonNode counts =
          ChaosFixture.json(
              files
                  .filter(file -> file.getFileName().toString().startsWith("points-"))
                  .findFirst()
                  .orElseThrow());
      assertThat(ChaosFixture.point(counts, "jdk.direct").get("fired").asInt()).isEqualTo(1);
      assertThat(ChaosFixture.point(counts, "jdk.unsafe").get("fired").asInt()).isEqualTo(1);
    }
  }
}
