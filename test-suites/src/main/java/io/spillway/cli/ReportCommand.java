package io.spillway.cli;

import io.spillway.report.ChaosReport;
import io.spillway.report.Json;
import io.spillway.report.RecordException;
import io.spillway.report.ReportText;
import io.spillway.report.RunPage;
import io.spillway.report.RunReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./spillway chaos report}: puts together what the agents of one run wrote. */
@Command(
    name = "report",
    sortOptions = false,
    description = "Puts together what the agents of one run wrote: what fired, what came of it.")
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The directory that the agents had as 'out'.")
  private Path directory;

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description =
          "The application's event log, uncompressed: Spark's word on every attempt, and the exit"
              + " codes of lost executors.")
  private Path events;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Another run: lists the keys that only one of the two reached.")
  private Path against;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the report for programs.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Writes a page with memory timelines and the faults on them; it needs no other.")
  private Path html;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RunReader run = RunReader.of(directory, Optional.ofNullable(events));
    Optional<RunReader> other =
        Optional.ofNullable(against).map(there -> RunReader.of(there, Optional.empty()));
    ChaosReport report = run.report(other);
    PrintWriter out = spec.commandLine().getOut();
    out.print(ReportText.of(report));
    if (json != null) {
      write("report", json, () -> Json.write(json, report));
    }
    if (html != null) {
      write("page", html, () -> Json.writeWhole(html, RunPage.of(report, run)));
    }
    out.flush();
    return 0;
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void write(String what, Path file, Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new RecordException("the %s cannot be written to %s: %s".formatted(what, file, e), e);
    }
    spec.commandLine().getOut().println(what + ": " + file);
  }
}
