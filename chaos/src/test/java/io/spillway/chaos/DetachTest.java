package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.chaos.internal.dispatch.FaultEngine;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of an armed plan when it was taken away: nothing. */
class DetachTest {
  private static final long SEED = 7;

  @TempDir Path out;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldGiveEverySeamItsOwnCodeBackByteForByteAndTakeASecondPlan() throws Exception {
    Map<String, String> own = codes();
    assertThat(own).hasSizeGreaterThan(10);
    for (int round = 1; round <= 2; round++) {
      ChaosController chaos = ChaosFixture.arm(out, SEED, rulesForEveryPoint());
      Map<String, String> changed = codes();
      for (FaultPoint point : FaultPoint.values()) {
        boolean loaded = point.seams().stream().anyMatch(seam -> own.containsKey(seam.className()));
        assertThat(chaos.point(point).reason()).as("%s", point).isEmpty();
        assertThat(chaos.point(point).instrumented()).as("%s", point).isEqualTo(loaded);
      }
      own.keySet()
          .forEach(name -> assertThat(changed.get(name)).as(name).contains("io/spillway/chaos"));
      ChaosAgent.uninstall();
      Map<String, String> after = codes();
      own.forEach((name, code) -> assertThat(after.get(name).equals(code)).as(name).isTrue());
    }
  }

  @Test
  void shouldKeepNoThreadNoFileAndNoEngineWhenDetached() throws Exception {
    SparkContext spark = ChaosFixture.spark("local[2,4]");
    WeakReference<FaultEngine> engine;
    try {
      engine = armed("{point: task.batch, fault: exception, when: {nth: 1}}");
      assertThat(SeamJob.ofBatches(2).run(spark, 4)).allMatch(result -> result.attempt() == 1);
      assertThat(openFiles()).isNotEmpty();
      assertThat(threads()).isNotEmpty();
      ChaosAgent.uninstall();
      assertThat(openFiles()).isEmpty();
      Awaitility.await("threads end")
          .atMost(Duration.ofMinutes(1))
          .until(() -> threads().isEmpty());
    } finally {
      spark.stop();
    }
    Awaitility.await("the engine is collected")
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              System.gc();
              return engine.get() == null;
            });
  }

  /** In a method of its own: a frame of this test would hold the engine. */
  private WeakReference<FaultEngine> armed(String rule) {
    return new WeakReference<>(ChaosFixture.arm(out, SEED, rule).installation().engine());
  }

  /** Every seam's class that is on this class path, loaded, with the code that the JVM runs. */
  private static Map<String, String> codes() throws Exception {
    Map<String, String> codes = new TreeMap<>();
    for (FaultPoint point : FaultPoint.values()) {
      for (Seam seam : point.seams()) {
        Class<?> type;
        try {
          type = Class.forName(seam.className(), false, DetachTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
          // A class of an engine that this test does not bring.
          continue;
        }
        codes.put(seam.className(), ClassBytes.of(type));
      }
    }
    return codes;
  }

  private static String[] rulesForEveryPoint() {
    return Arrays.stream(FaultPoint.values())
        .map(point -> ChaosFixture.rule(point, "{nth: 1}"))
        .toArray(String[]::new);
  }

  private List<Path> openFiles() throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : links.toList()) {
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(out)) {
          open.add(link);
        }
      }
    }
    return open;
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("spillway-chaos"))
        .toList();
  }
}
