package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Older Sparks under the packaged agent: each point in Spark's classes works, or disarms and names
 * the signature that it missed.
 */
class OtherSparksIT {
  private static final String SPARK = "org.apache.spark.";

  /** Spark 3.3 logs through slf4j 1, whose binding must not have that of slf4j 2 beside it. */
  private static final String OLD_BINDING = "log4j-slf4j-impl";

  /** What the query reaches in any Spark. */
  private static final Set<FaultPoint> REACHED =
      Set.of(
          FaultPoint.MEMORY_ACQUIRE,
          FaultPoint.MEMORY_PAGE,
          FaultPoint.SHUFFLE_WRITE,
          FaultPoint.SHUFFLE_FETCH,
          FaultPoint.TASK_START,
          FaultPoint.TASK_BATCH,
          FaultPoint.TASK_END);

  @TempDir Path dir;

  @ParameterizedTest(name = "Spark {0}")
  @ValueSource(strings = {"3.4.4", "3.3.4"})
  void shouldWorkOrNameTheMissedSignature(String version) throws Exception {
    List<FaultPoint> points =
        Arrays.stream(FaultPoint.values())
            .filter(point -> point.seams().stream().anyMatch(OtherSparksIT::isSparks))
            .filter(point -> point.faults().contains(Fault.Delay.ID))
            .toList();
    assertThat(points).containsAll(REACHED);
    String rules =
        points.stream()
            .map(point -> "  - " + ChaosFixture.rule(point, "{every: 1}") + "\n")
            .collect(Collectors.joining());
    Path plan =
        Files.writeString(dir.resolve("plan.yaml"), "version: 1\nseed: 7\nrules:\n" + rules);
    String[] seams =
        points.stream()
            .flatMap(point -> point.seams().stream())
            .filter(OtherSparksIT::isSparks)
            .map(Seam::className)
            .distinct()
            .toArray(String[]::new);

    // Without the stand-ins for Spillway: task.batch is another seam where they are found.
    Path job = ForkedJvm.jar(dir.resolve("job.jar"), List.of("io/spillway/chaos"));
    ForkedJvm.Outcome outcome =
        new ForkedJvm(dir)
            .agent("plan=" + plan + ",out=" + dir.resolve("out"))
            .classPath(job + ":" + classPath(version))
            .run(EveryPointJob.class.getName(), seams);

    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.out())
        .contains("spark " + version, "sum 166833", "sum 166167", "sum 166500");
    JsonNode counts = ChaosFixture.json(dir.resolve("out/points-" + outcome.pid() + ".json"));
    assertThat(counts.has("disarmed")).as("%s", counts).isFalse();
    for (FaultPoint point : points) {
      check(point, ChaosFixture.point(counts, point.id()), outcome);
    }
  }

  private static void check(FaultPoint point, JsonNode status, ForkedJvm.Outcome outcome) {
    List<Seam> there =
        point.seams().stream()
            .filter(seam -> outcome.out().contains("found " + seam.className()))
            .toList();
    if (status.has("reason")) {
      String reason = status.get("reason").asText();
      assertThat(there.stream().map(seam -> "expected " + seam + ", found ").toList())
          .as("%s: %s", point, reason)
          .anyMatch(reason::startsWith);
      assertThat(outcome.text()).contains("the point " + point + " is disarmed: " + reason);
      assertThat(status.get("instrumented").asBoolean()).isFalse();
      assertThat(status.get("fired").asLong()).isZero();
    } else {
      assertThat(status.get("instrumented").asBoolean())
          .as("%s with %s there", point, there)
          .isEqualTo(!there.isEmpty());
      if (REACHED.contains(point)) {
        assertThat(status.get("fired").asLong()).as("%s", point).isPositive();
      }
    }
  }

  private static boolean isSparks(Seam seam) {
    return seam.className().startsWith(SPARK);
  }

  /** That Spark's jars, and of this one what it does not replace. */
  private static String classPath(String version) throws Exception {
    Path folder = Path.of(System.getProperty("beside.directory"), "spark-" + version);
    Map<String, Path> jars;
    try (Stream<Path> files = Files.list(folder)) {
      jars = files.collect(Collectors.toMap(file -> artifact(file), file -> file));
    }
    assertThat(jars).containsKeys("spark-core_2.12", "spark-sql_2.12");
    String others =
        Arrays.stream(ForkedJvm.sparkClassPath().split(File.pathSeparator, -1))
            .filter(entry -> !artifact(Path.of(entry)).startsWith("spark-"))
            .filter(entry -> !(jars.containsKey(OLD_BINDING) && entry.contains("log4j-slf4j2-")))
            .filter(entry -> !jars.containsKey(artifact(Path.of(entry))))
            .collect(Collectors.joining(File.pathSeparator));
    return jars.values().stream().map(Path::toString).collect(Collectors.joining(":"))
        + ":"
        + others;
  }

  /** A jar's name without its version. */
  private static String artifact(Path jar) {
    return jar.getFileName().toString().replaceFirst("-[0-9]+\\.[0-9][^/]*$", "");
  }
}
