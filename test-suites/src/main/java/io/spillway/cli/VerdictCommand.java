package io.spillway.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import io.spillway.chaos.FaultPoint;
import io.spillway.report.ChaosReport;
import io.spillway.report.Json;
import io.spillway.report.RecordException;
import io.spillway.report.ReportLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./spillway chaos verdict}: judges a report by limits, for a pipeline. */
@Command(
    name = "verdict",
    sortOptions = false,
    description = "Judges a report by limits; those that are not given do not count.",
    footer = {"", "Exit codes: 0 within all limits, 1 beyond one, 2 a wrong option or report."})
final class VerdictCommand implements Callable<Integer> {
  private static final int BEYOND = 1;
  private static final String ALL = "all";

  @Parameters(paramLabel = "REPORT", description = "What 'report --json' wrote.")
  private Path file;

  @Option(names = "--max-leaked", paramLabel = "BYTES", description = "Bytes leaked.")
  private Long leaked;

  @Option(names = "--max-lost-executors", paramLabel = "N", description = "Executors lost.")
  private Long lostExecutors;

  @Option(names = "--max-not-handled", paramLabel = "N", description = "Faults not handled.")
  private Long notHandled;

  @Option(names = "--max-failed", paramLabel = "N", description = "Faults failed cleanly.")
  private Long failed;

  @Option(names = "--max-spill-files", paramLabel = "N", description = "Spill files left.")
  private Long spillFiles;

  @Option(
      names = "--require-fired",
      paramLabel = "POINT",
      split = ",",
      description = "Points at which something must have fired; 'all': every rule of the plan.")
  private List<String> fired = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    ReportLimits limits = limits();
    List<String> violations = limits.violations(report());
    PrintWriter out = spec.commandLine().getOut();
    violations.forEach(violation -> out.println("FAILED  " + violation));
    out.println(violations.isEmpty() ? "ok: within all limits" : "not ok: " + file);
    out.flush();
    return violations.isEmpty() ? 0 : BEYOND;
  }

  private ReportLimits limits() {
    List<String> points = new ArrayList<>(fired);
    boolean all = points.remove(ALL);
    for (String point : points) {
      if (FaultPoint.byId(point).isEmpty()) {
        throw wrong(
            "--require-fired: unknown point '%s'; give all, or of the points %s"
                .formatted(point, FaultPoint.ids()));
      }
    }
    ReportLimits limits =
        new ReportLimits(
            most("--max-leaked", leaked),
            most("--max-lost-executors", lostExecutors),
            most("--max-not-handled", notHandled),
            most("--max-failed", failed),
            most("--max-spill-files", spillFiles),
            all,
            points);
    if (limits.isEmpty()) {
      throw wrong("give at least one limit, as --max-leaked 0; --help lists them");
    }
    return limits;
  }

  private long most(String option, Long value) {
    if (value != null && value < 0) {
      throw wrong(option + ": " + value + " is below 0");
    }
    return value == null ? ReportLimits.ANY : value;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private ChaosReport report() throws IOException {
    ChaosReport report;
    try {
      // What is not in the file must not pass for nothing found.
      report =
          Json.MAPPER
              .readerFor(ChaosReport.class)
              .with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
              .readValue(file.toFile());
    } catch (JsonProcessingException e) {
      throw new RecordException(
          file + " is no report of a run: " + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    } catch (IOException e) {
      throw new RecordException(file + " cannot be read: " + e.getClass().getSimpleName(), e);
    }
    if (report == null) {
      throw new RecordException(file + " is no report of a run");
    }
    if (report.formatVersion() != ChaosReport.FORMAT_VERSION) {
      throw new RecordException(
          "%s is no report of a run, or one of format %d where %d is known"
              .formatted(file, report.formatVersion(), ChaosReport.FORMAT_VERSION));
    }
    return report;
  }
}
