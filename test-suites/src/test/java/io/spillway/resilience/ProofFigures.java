package io.spillway.resilience;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.spillway.report.Json;
import io.spillway.testing.internal.ClassReport;
import io.spillway.testing.internal.InvocationReport;
import io.spillway.testing.internal.SweepReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The figures of the page of results, as they stand beside it.
 *
 * @param sweeps by the name of their test
 * @param processes by what was done
 * @param soaks one for each seed; empty as long as none has run
 */
record ProofFigures(List<Sweep> sweeps, List<ProcessReport> processes, List<SoakReport> soaks) {

  /**
   * One sweep.
   *
   * @param test its class
   * @param found faults that there are; more than injected where a sample was drawn
   * @param injected runs with a fault
   * @param notReached runs that did not come to the call this time
   * @param failed runs after which something was wrong
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Sweep(
      String test,
      long found,
      long injected,
      long recovered,
      long retried,
      long failedCleanly,
      long notReached,
      long failed) {

    private static Sweep of(ClassReport report) {
      List<InvocationReport> all =
          report.sweeps().stream().flatMap(sweep -> sweep.invocations().stream()).toList();
      Map<String, Long> outcomes = new TreeMap<>();
      all.forEach(one -> outcomes.merge(one.outcome().name(), 1L, Long::sum));
      return new Sweep(
          report.testClass().substring(report.testClass().lastIndexOf('.') + 1),
          report.sweeps().stream().mapToLong(SweepReport::found).sum(),
          all.size(),
          outcomes.getOrDefault("RECOVERED", 0L),
          outcomes.getOrDefault("TASK_RETRIED", 0L),
          outcomes.getOrDefault("FAILED_CLEAN", 0L),
          outcomes.getOrDefault("NOT_REACHED", 0L),
          outcomes.getOrDefault("FAILED", 0L));
    }
  }

  /** These, and in the place of those of the same name what the last runs here have written. */
  ProofFigures with(Path sweepFolder, Path proofFolder) throws IOException {
    List<Sweep> newSweeps = new ArrayList<>();
    for (Path file : files(sweepFolder, "io.spillway.resilience.")) {
      newSweeps.add(Sweep.of(Json.read(file, ClassReport.class)));
    }
    List<ProcessReport> newProcesses = new ArrayList<>();
    for (Path file : files(proofFolder, "process-")) {
      newProcesses.add(Json.read(file, ProcessReport.class));
    }
    Path newSoak = proofFolder.resolve("soak.json");
    return new ProofFigures(
        merged(sweeps, newSweeps, Sweep::test),
        merged(processes, newProcesses, ProcessReport::what),
        Files.exists(newSoak) ? List.of(Json.read(newSoak, SoakReport[].class)) : soaks);
  }

  private static <T> List<T> merged(List<T> old, List<T> young, Function<T, String> name) {
    Map<String, T> all = new TreeMap<>();
    old.forEach(one -> all.put(name.apply(one), one));
    young.forEach(one -> all.put(name.apply(one), one));
    return List.copyOf(all.values());
  }

  private static List<Path> files(Path folder, String prefix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .filter(file -> file.toString().endsWith(".json"))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }
}
