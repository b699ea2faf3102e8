package io.spillway.drill;

import io.spillway.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The two reports of a drill: {@code report.json} for programs, {@code report.html} for people.
 *
 * @param directory where they are written
 */
record ReportFiles(Path directory) {

  Path json() {
    return directory.resolve("report.json");
  }

  Path html() {
    return directory.resolve("report.html");
  }

  /** Removes reports of an earlier drill, so that nobody takes them for this one's. */
  void delete() throws IOException {
    Files.deleteIfExists(json());
    Files.deleteIfExists(html());
  }

  /** Writes both, each whole. */
  void write(DrillReport report) throws IOException {
    Json.writeWhole(html(), ReportPage.of(report));
    Json.write(json(), report);
  }
}
