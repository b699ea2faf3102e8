package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.report.AttemptEnd;
import io.spillway.report.ExecutorLost;
import io.spillway.report.Json;
import io.spillway.report.JudgedFault;
import io.spillway.report.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final String HOSTILE = "</td><script>alert('1')</script>&\"";

  @TempDir private Path directory;

  @Test
  void shouldEscapeEveryTextWhenItLooksLikeMarkup() {
    var query = Reports.query("q" + HOSTILE, false, "difference " + HOSTILE, 0);
    var ledger = Reports.ledger(1, 0, "owner " + HOSTILE);
    var fired =
        new JudgedFault(
            "key " + HOSTILE,
            "native.alloc",
            HOSTILE,
            1,
            HOSTILE,
            1,
            HOSTILE,
            HOSTILE,
            HOSTILE,
            Outcome.RECOVERED,
            1,
            HOSTILE);

    String page =
        ReportPage.of(
            Reports.of(
                List.of(Reports.pass(query, List.of(ledger), "missing " + HOSTILE)),
                List.of(Reports.point(true, true, 1)),
                List.of(fired),
                "plan " + HOSTILE));

    assertThat(page).doesNotContain("<script").contains("&lt;script&gt;");
    for (String text : List.of("difference ", "owner ", "key ", "missing ", "plan ")) {
      assertThat(page).contains(text + "&lt;/td&gt;");
    }
  }

  @Test
  void shouldNeedNothingFromElsewhere() {
    assertThat(ReportPage.of(good())).doesNotContain("http:", "https:", "<link", "src=", "@import");
  }

  @Test
  void shouldShowWhatItFoundAndWhatNeverFired() {
    String page = ReportPage.of(good());

    assertThat(page)
        .contains("tpch-1", "Spillway, starved", "0123456789abcdef", "4.0 MiB", "native.alloc")
        .contains("<svg")
        .contains("verdict ok");
  }

  @Test
  void shouldWriteTheFieldsThatProgramsRelyOn() throws IOException {
    ReportFiles files = new ReportFiles(directory);
    files.write(good());

    JsonNode json = Json.MAPPER.readTree(files.json().toFile());
    for (String field : List.of("seed", "leakedBytes", "executorsLost", "ok", "firedDigest")) {
      assertThat(json.has(field)).as(field).isTrue();
    }
    JsonNode query = json.at("/passes/0/queries/0");
    for (String field :
        List.of(
            "name",
            "seconds",
            "resultEqual",
            "nativeOperators",
            "spilledBytes",
            "peakNativeBytes",
            "faultsFired",
            "tasksRetried")) {
      assertThat(query.has(field)).as(field).isTrue();
    }
    JsonNode point = json.at("/points/0");
    for (String field : List.of("name", "reached", "fired", "recovered")) {
      assertThat(point.has(field)).as(field).isTrue();
    }
    assertThat(json.get("ok").asBoolean()).isTrue();
    assertThat(Files.readString(files.html())).startsWith("<!DOCTYPE html>");
  }

  @Test
  void shouldReadBackWhatAPassWroteDown() throws IOException {
    PassOutcome outcome =
        new PassOutcome(
            List.of(
                new PassOutcome.Query(
                    "q", 1.5, 3, 7, new PassOutcome.Plan(2, 1, 1, 10, 20), 0, null)),
            List.of(
                new AttemptEnd(
                    "", 3, 0, 1, 0, "0", 5, 6, "failed", "boom", true, 0, List.of(), List.of())),
            List.of(ExecutorLost.told("1", "gone")),
            List.of(Reports.ledger(1, 2, "owner")),
            List.of("1"));
    Path file = directory.resolve("outcome.json");

    Json.write(file, outcome);

    assertThat(Json.read(file, PassOutcome.class)).isEqualTo(outcome);
  }

  @Test
  void shouldEndWithALineForEachQueryAndEachPoint() {
    String table = ConsoleTable.of(good());

    assertThat(table.lines().filter(line -> line.startsWith("tpch-1"))).hasSize(1);
    assertThat(table).contains("peak native").contains("native.alloc");
    assertThat(table.lines()).allSatisfy(line -> assertThat(line).doesNotEndWith(" "));
  }

  private static DrillReport good() {
    return Reports.of(
        List.of(Reports.goodPass()), List.of(Reports.point(true, true, 3)), List.of(), "seed: 7");
  }
}
