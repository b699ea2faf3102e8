package io.spillway.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPageTest {
  private static final String HOSTILE = "</script><script>alert(1)</script>";

  @TempDir Path dir;

  @Test
  void shouldShowMemoryFaultsAndWhatWasLeft() throws IOException {
    Records.write(dir, 10, "0", false);
    String page = page();
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .contains("executor 0, process 10", "off-heap execution", "\"colour\":\"fair\"")
        .contains("Executors lost", "came to no orderly end")
        .contains("Leaks", "Sorter 4096 bytes", "task 1 / Filter")
        .contains("Named by the plan and not reached")
        .contains("Never fired: rule 2")
        .contains("uPlot");
  }

  @Test
  void shouldNeedNothingFromElsewhere() throws IOException {
    Records.write(dir, 10, "0", true);
    assertThat(page()).doesNotContain("<link", " src=", "@import", "url(", "import(", "fetch(");
  }

  @Test
  void shouldEscapeEveryTextWhenItLooksLikeMarkup() throws IOException {
    Records.write(dir, 10, HOSTILE.replace("/", "\\/"), true);
    for (String name : new String[] {"fired-10.jsonl", "attempts-10.jsonl", "jvm-10.json"}) {
      Path file = dir.resolve(name);
      Files.writeString(
          file,
          Files.readString(file)
              .replace("RuntimeException: x", HOSTILE)
              .replace("Sorter", HOSTILE)
              .replace("worker 1", HOSTILE)
              .replace("\"label\":\"q\"", "\"label\":\"" + HOSTILE + "\""));
    }
    assertThat(page()).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
  }

  @Test
  void shouldShowTheWorstFaultsWhenThereAreTooManyForAPage() throws IOException {
    Records.write(dir, 10, "0", true);
    Path fired = dir.resolve("fired-10.jsonl");
    String retried = Files.readString(fired);
    StringBuilder lines = new StringBuilder();
    for (int call = 10; call < 3010; call++) {
      lines.append(retried.replace("\"call\":3", "\"call\":" + call));
    }
    // Nobody saw its end.
    String worst = retried.replace("\"partition\":2", "\"partition\":77");
    Files.writeString(fired, lines + worst);
    String page = page();
    assertThat(page).contains("The 2000 that came out worst, of 3001", "partition=77");
    assertThat(page.split("<td class=\"l\"><code>q stage=0", -1)).hasSize(2000 + 1);
    assertThat(page.split("\"colour\":\"", -1)).hasSize(2000 + 1);
  }

  private String page() throws IOException {
    RunReader run = RunReader.of(dir, Optional.empty());
    return RunPage.of(run.report(Optional.empty()), run);
  }
}
