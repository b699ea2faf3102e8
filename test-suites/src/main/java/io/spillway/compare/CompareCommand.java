package io.spillway.compare;

import io.spillway.chaos.FaultPlan;
import io.spillway.drill.DrillOptions;
import io.spillway.drill.MasterUrl;
import io.spillway.drill.ProjectLayout;
import io.spillway.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./spillway chaos compare}: the same queries and faults on several engines. */
@Command(
    name = "compare",
    sortOptions = false,
    description =
        "Runs TPC-H 3, 9 and 18 under the same faults on several engines, and tells what became of"
            + " each.",
    footer = {
      "",
      "Reports: target/compare/report.json, and a page for each engine beside it.",
      "Exit codes: 0 all engines were run, whatever became of them; 1 not; 2 a wrong option."
    })
public final class CompareCommand implements Callable<Integer> {
  @Option(
      names = "--engines",
      paramLabel = "LIST",
      defaultValue = "spark,spillway",
      description =
          "Of spark, spillway and comet; Comet is fetched with Maven (default: ${DEFAULT-VALUE}).")
  private String engines;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "0.1",
      description = "TPC-H scale factor, 0.001 to 10 (default: ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "128m",
      description = "Off-heap memory of each executor (default: ${DEFAULT-VALUE}).")
  private String memory;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "YAML plan of the faults (default: one that every engine can meet).")
  private Path plan;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "local-cluster[2,1,1024]",
      description = "Spark master to run on (default: ${DEFAULT-VALUE}).")
  private String master;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ProjectLayout layout = ProjectLayout.at(Path.of(System.getProperty("spillway.home", ".")));
    FaultPlan faults =
        DrillOptions.armable(
            plan == null ? defaultPlan() : FaultPlan.parse(plan), ComparisonOptions.ENVIRONMENT);
    ComparisonOptions options =
        new ComparisonOptions(
            Engine.parse(engines),
            DrillOptions.scale(scale),
            DrillOptions.memoryBytes(memory),
            faults,
            MasterUrl.parse(master));
    PrintWriter out = spec.commandLine().getOut();
    Path reports = layout.home().resolve("target/compare");
    Comparison comparison = new Comparison(options, layout, out);
    Thread stop = new Thread(comparison::stop, "compare-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    ComparisonReport report = comparison.run(reports);
    Runtime.getRuntime().removeShutdownHook(stop);
    Json.write(reports.resolve("report.json"), report);
    out.println();
    out.print(report.text());
    out.println("reports: " + reports + ", work files: " + comparison.work());
    out.flush();
    return 0;
  }

  static FaultPlan defaultPlan() throws IOException {
    return DrillOptions.planBeside(CompareCommand.class, "compare-plan.yaml");
  }
}
