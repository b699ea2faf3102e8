package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.drill.PassConf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is taken down by a job under one of its faults, or that cannot run Spark at all. */
class EndedJvmTest {
  private static final String FAULT = "task.end #1 ONE_SHOT exception s=0 p=1 a=0 seed=1";

  @TempDir Path dir;

  @Test
  void shouldNameTheFaultAndBeginWithItNextTimeWhenItEndedTheJvm() throws Exception {
    LaunchedJvm ended = launch(true);
    assertThat(ended.exitCode()).isEqualTo(17);
    assertThat(ended.err())
        .contains("[spillway-testing] the JVM ends while this runs: ")
        .contains("HostileCases$Exits.exits " + FAULT)
        .contains("'-Dspillway.testing.replay=" + FAULT + "'");
    assertThat(dir.resolve("failed/io.spillway.testing.HostileCases$Exits.exits.txt"))
        .hasContent(FAULT);

    LaunchedJvm next = launch(false);
    assertThat(next.exitCode()).as(next.err()).isZero();
    assertThat(next.err()).doesNotContain("the JVM ends while");
    assertThat(next.out())
        .filteredOn(line -> line.contains(" exits "))
        .allMatch(line -> line.startsWith("SUCCESSFUL"))
        .element(1)
        .asString()
        .contains(FAULT);
    assertThat(dir.resolve("failed/io.spillway.testing.HostileCases$Exits.exits.txt"))
        .doesNotExist();
  }

  @Test
  void shouldSayWhichOptionsAreMissingWhenSparkCannotRunWithoutThem() throws Exception {
    LaunchedJvm without =
        LaunchedJvm.run(dir, false, HostileCases.Exits.class, List.of("-Xmx512m"));
    assertThat(without.out())
        .singleElement()
        .asString()
        .startsWith("FAILED exits without a fault")
        .contains("put these options into the argLine of Surefire: ")
        .contains("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
  }

  private LaunchedJvm launch(boolean exits) throws Exception {
    List<String> options = new ArrayList<>(List.of(PassConf.moduleOptions()));
    options.addAll(List.of("-Xmx512m", "-Dspillway.case.exits=" + exits));
    return LaunchedJvm.run(dir, false, HostileCases.Exits.class, options);
  }
}
