package io.spillway.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchCommandTest {
  @TempDir private Path home;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = BenchCommand.commandLine(home);
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "disk",
        "memory --rounds 0",
        "memory --rounds many",
        "memory --only nothing-begins-so",
        "memory --fast",
        "memory memory"
      })
  void shouldSayInOneSentenceWhatIsWrongWhenTheCallerIs(String arguments) {
    assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(1)
        .allMatch(line -> line.startsWith("spillway bench: "));
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldMeasureInForkedJvmsAndWriteNothingWhenOneLineIsAskedFor() {
    int exit = run("memory", "--quick", "--rounds", "1", "--only", "pair of 4 KiB, threads: 2");

    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    assertThat(out.toString())
        .containsPattern("pair of 4 KiB, threads: 2, BARE +[1-9]")
        .containsPattern("pair of 4 KiB, threads: 2 +ns +[1-9]")
        .containsPattern("pair of 4 KiB, threads: 2, calls to Spark +per 100 ")
        .contains("a smoke run, nothing is judged")
        .doesNotContainPattern("(?m)(met|missed|unsure)$");
    assertThat(home.resolve("test-suites/target/bench/memory.json")).doesNotExist();
  }

  @Test
  void shouldNameEveryCaseOnceWhateverTheEffort() {
    for (boolean quick : List.of(true, false)) {
      Set<String> names = new HashSet<>();
      for (Subject subject : new MemorySuite().subjects(quick)) {
        subject
            .cases()
            .forEach(each -> assertThat(names.add(each.name())).as(each.name()).isTrue());
      }
      assertThat(names).hasSize(8 * 2 + 2 * 2 + 6);
    }
  }

  @Test
  void shouldSayInJsonWhatWasMeasuredAndWhatItCameTo() throws IOException {
    Figure ours = Figure.of(List.of(300.0, 310.0));
    Figure base = Figure.of(List.of(250.0, 150.0));
    Measure missed =
        Measure.compared(
            "pair",
            "ns",
            ours,
            base,
            Figure.of(List.of(50.0, 160.0)),
            "difference",
            Target.atMost(100));
    Measure informs = Measure.single("calls", "per 100", ours, null);
    BenchReport report = BenchReport.here("memory", 2, false, List.of(missed, informs));

    JsonNode json = new ObjectMapper().readTree(new ObjectMapper().writeValueAsString(report));

    assertThat(report.ok()).isFalse();
    JsonNode pair = json.path("measures").path(0);
    assertThat(pair.path("verdict").asText()).isEqualTo("MISSED");
    assertThat(pair.path("ours").path("median").asDouble()).isEqualTo(305);
    assertThat(pair.path("compared").path("samples")).hasSize(2);
    assertThat(pair.path("target").path("value").asDouble()).isEqualTo(100);
    assertThat(json.path("measures").path(1).has("verdict")).isFalse();
    assertThat(json.path("processors").asInt()).isPositive();
    assertThat(BenchReport.here("memory", 2, false, List.of(informs)).ok()).isTrue();
    assertThat(ReportTable.of(report.measures()).lines())
        .hasSize(3)
        .anyMatch(line -> line.matches("pair +ns +305 +200 +105 more +50 to 160 +<= 100 +missed"));
  }
}
