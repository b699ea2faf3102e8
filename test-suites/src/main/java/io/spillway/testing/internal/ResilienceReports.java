package io.spillway.testing.internal;

import io.spillway.report.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The reports below the build's folder: a JSON file for each class, and one page over all that lie
 * there. A class that runs again replaces its own. Several JVMs may write into one folder.
 */
final class ResilienceReports {
  private static final Map<String, Map<String, SweepReport>> OF_THIS_JVM = new LinkedHashMap<>();

  private ResilienceReports() {}

  /**
   * What lies in a folder.
   *
   * @param reports by class
   * @param others names of JSON files that are no reports: damaged, or somebody else's
   */
  record Folder(List<ClassReport> reports, List<String> others) {}

  /** Adds a test that has ended. */
  static synchronized void add(String testClass, SweepReport sweep) {
    Map<String, SweepReport> sweeps =
        OF_THIS_JVM.computeIfAbsent(testClass, key -> new LinkedHashMap<>());
    sweeps.put(sweep.method(), sweep);
    try {
      write(OutputFolder.path(), testClass, new ArrayList<>(sweeps.values()));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the report of " + testClass + " cannot be written to " + OutputFolder.path(), e);
    }
  }

  private static void write(Path folder, String testClass, List<SweepReport> sweeps)
      throws IOException {
    ClassReport report =
        new ClassReport(
            ClassReport.FORMAT_VERSION,
            testClass,
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            sweeps);
    Json.write(folder.resolve(testClass + ".json"), report);
    // Otherwise a JVM that has read the folder before this report was there could write the page
    // after it.
    try (FileChannel file =
            FileChannel.open(
                folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      Json.writeWhole(folder.resolve("index.html"), ResiliencePage.of(read(folder)));
    }
  }

  /** Everything in a folder. */
  static Folder read(Path folder) throws IOException {
    List<ClassReport> reports = new ArrayList<>();
    List<String> others = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
        ClassReport report = readOne(file);
        if (report == null) {
          others.add(file.getFileName().toString());
        } else {
          reports.add(report);
        }
      }
    }
    return new Folder(reports, others);
  }

  private static ClassReport readOne(Path file) {
    try {
      ClassReport report = Json.read(file, ClassReport.class);
      return report != null && report.isWhole() ? report : null;
    } catch (IOException e) {
      return null;
    }
  }
}
