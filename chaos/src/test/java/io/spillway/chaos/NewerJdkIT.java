package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent on JDK 25, where Spark 3.5 itself does not run: every seam, no job. */
class NewerJdkIT {
  private static final int JAVA = 25;

  @TempDir Path dir;

  @Test
  void shouldInstrumentFireAndDetachOnJdk25() throws Exception {
    Path java = jdk();
    List<FaultPoint> points = List.of(FaultPoint.values());
    String rules =
        points.stream()
            .filter(point -> point != FaultPoint.NATIVE_ALLOC)
            .map(point -> "  - " + ChaosFixture.rule(point, "{nth: 1}") + "\n")
            .collect(Collectors.joining());
    Path plan =
        Files.writeString(
            dir.resolve("plan.yaml"),
            "version: 1\nrules:\n"
                + rules
                + "  - {point: native.alloc, fault: out-of-memory, when: {nth: 2}, where:"
                + " {outsideTask: true}}\n");
    String[] seams =
        points.stream()
            .flatMap(point -> point.seams().stream())
            .map(Seam::className)
            .filter(NewerJdkIT::isThere)
            .distinct()
            .toArray(String[]::new);
    assertThat(seams).hasSizeGreaterThan(10);

    ForkedJvm.Outcome outcome =
        new ForkedJvm(dir)
            .java(java)
            .agent("plan=" + plan + ",out=" + dir.resolve("out"))
            .run(SeamsAlone.class.getName(), seams);

    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    List<String> expected = new ArrayList<>();
    expected.addAll(List.of("java 25", "granted 2", "denied true", "granted 2"));
    for (FaultPoint point : points) {
      boolean there =
          point.seams().stream().map(Seam::className).anyMatch(List.of(seams)::contains);
      expected.add(point + " instrumented " + there);
    }
    expected.addAll(List.of("detached true", "restored true", "granted 2"));
    assertThat(outcome.out()).as(outcome.text()).isEqualTo(expected);
  }

  private static boolean isThere(String name) {
    try {
      return Class.forName(name, false, NewerJdkIT.class.getClassLoader()) != null;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** A JDK 25 where Linux packages put theirs, or where JAVA_25_HOME says. */
  private static Path jdk() throws IOException {
    List<Path> homes = new ArrayList<>();
    if (System.getenv("JAVA_25_HOME") != null) {
      homes.add(Path.of(System.getenv("JAVA_25_HOME")));
    }
    Path installed = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(installed)) {
      try (Stream<Path> all = Files.list(installed)) {
        all.sorted().forEach(homes::add);
      }
    }
    for (Path home : homes) {
      Path release = home.resolve("release");
      if (Files.isRegularFile(release)
          && Files.isExecutable(home.resolve("bin/java"))
          && Arrays.stream(Files.readString(release).split("\n", -1))
              .anyMatch(line -> line.startsWith("JAVA_VERSION=\"" + JAVA))) {
        return home;
      }
    }
    return abort("there is no JDK 25 in /usr/lib/jvm, and JAVA_25_HOME names none");
  }
}
