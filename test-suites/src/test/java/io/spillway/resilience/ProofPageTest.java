package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofPageTest {
  private static final Path PAGE = Path.of("..", "docs", "resilience.md");
  private static final Path FIGURES = Path.of("..", "docs", "resilience.json");
  private static final ProofFigures NONE = new ProofFigures(List.of(), List.of(), List.of());

  @TempDir private Path directory;

  @Test
  void shouldStandInTheDocumentationAsItsFiguresSay() throws IOException {
    if (Boolean.getBoolean("spillway.docs.write")) {
      ProofFigures old = Files.exists(FIGURES) ? Json.read(FIGURES, ProofFigures.class) : NONE;
      ProofFigures young = old.with(Path.of("target", "spillway-testing"), ProofFolder.path());
      Json.write(FIGURES, young);
      Files.writeString(PAGE, ProofPage.markdown(young));
    }

    assertThat(Files.readString(PAGE))
        .as("docs/resilience.md must be what ProofPage.markdown() makes of docs/resilience.json")
        .isEqualTo(ProofPage.markdown(Json.read(FIGURES, ProofFigures.class)));
  }

  @Test
  void shouldKeepTheFiguresOfWhatHasNotRunHere() throws IOException {
    ProcessReport killed = new ProcessReport("killed", 20, 3, 3, 0, 1, 0, 1, 5000, 0, 0);
    ProcessReport diskFull = new ProcessReport("disk full", 20, 3, 2, 1, 4, 0, 0, 5000, 0, 0);
    ProcessReport again = new ProcessReport("killed", 15, 3, 3, 0, 2, 0, 1, 7000, 0, 0);
    Json.write(directory.resolve("process-killed.json"), again);

    ProofFigures merged =
        new ProofFigures(List.of(), List.of(killed, diskFull), List.of())
            .with(directory.resolve("none"), directory);

    assertThat(merged.processes()).containsExactly(diskFull, again);
    assertThat(ProofPage.markdown(merged)).contains("| killed | 15 | 3 | 3 | 0 | 2 |");
  }

  @Test
  void shouldTellOfNoSoakAsLongAsNoneHasRun() {
    assertThat(ProofPage.markdown(NONE)).contains("## Sweeps").doesNotContain("## Soak");
  }
}
