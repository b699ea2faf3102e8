package io.spillway.drill;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.PlanException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ./spillway drill}. Exit codes: 0 all is well, 1 something is wrong with what was drilled
 * or the drill could not be run to its end, 2 the caller asked for something that cannot be done.
 */
@Command(
    name = "spillway drill",
    sortOptions = false,
    usageHelpWidth = 100,
    description =
        "Runs the same queries on plain Spark, on Spillway with far too little memory, and on the"
            + " starved Spillway with faults firing; then compares rows, bytes and executors.",
    footer = {
      "",
      "Reports: target/drill/report.html and target/drill/report.json.",
      "Exit codes: 0 all is well, 1 something is wrong, 2 a wrong option or plan."
    })
public final class DrillCommand implements Callable<Integer> {
  private static final int USAGE = 2;
  private static final long STOP_SECONDS = 30;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "0.1",
      description =
          "TPC-H scale factor, 0.001 to 10; transactions are 10,000,000 times it"
              + " (default: ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4m",
      description =
          "Off-heap memory of each executor with Spillway, 2m to 1t (default: ${DEFAULT-VALUE}).")
  private String memory;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Seed of the faults (default: the plan's own).")
  private String seed;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "YAML plan of the faults (default: one that reaches every point).")
  private Path plan;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "local-cluster[2,1,1024]",
      description = "Spark master to run on (default: ${DEFAULT-VALUE}).")
  private String master;

  @Option(names = "--keep", description = "Keep work files: rows, logs, what the agents wrote.")
  private boolean keep;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Spec private CommandSpec spec;

  private final Path home;

  DrillCommand(Path home) {
    this.home = home;
  }

  /** Runs the command. The system property {@code spillway.home} names the checkout. */
  public static void main(String[] arguments) {
    Path home = Path.of(System.getProperty("spillway.home", "."));
    System.exit(commandLine(home).execute(arguments));
  }

  /** The command for a checkout, with one-sentence errors. */
  static CommandLine commandLine(Path home) {
    CommandLine line = new CommandLine(new DrillCommand(home));
    line.setParameterExceptionHandler(
        (e, arguments) -> refuse(e.getCommandLine().getErr(), e.getMessage()));
    line.setExecutionExceptionHandler(
        (e, failed, result) -> {
          if (e instanceof UsageException || e instanceof PlanException) {
            return refuse(failed.getErr(), e.getMessage());
          }
          String message = e instanceof DrillException ? e.getMessage() : e.toString();
          failed.getErr().println("spillway drill: " + message);
          return 1;
        });
    return line;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    DrillOptions options = options();
    Drill drill = new Drill(options, ProjectLayout.at(home), spec.commandLine().getOut());
    CountDownLatch done = new CountDownLatch(1);
    Thread stop = new Thread(() -> stopAndWait(drill, done), "drill-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    boolean finished = false;
    try {
      DrillReport report = drill.run();
      finished = true;
      tell(report);
      return report.ok() ? 0 : 1;
    } finally {
      // A drill that broke down keeps what it has: its message points there.
      if ((finished || drill.isStopped()) && !options.keep()) {
        drill.removeWork();
      }
      done.countDown();
      removeHook(stop);
    }
  }

  private void tell(DrillReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.print(ConsoleTable.of(report));
    out.println();
    out.println(
        "seed "
            + report.seed()
            + ", "
            + report.fired().size()
            + " faults fired, set "
            + report.firedDigest());
    for (String reason : report.reasons()) {
      out.println("FAILED  " + reason);
    }
    out.println(
        (report.ok() ? "ok" : "not ok")
            + ": "
            + new ReportFiles(ProjectLayout.at(home).reportDirectory()).html());
    out.flush();
  }

  private DrillOptions options() throws IOException {
    var scaleFactor = DrillOptions.scale(scale);
    long memoryBytes = DrillOptions.memoryBytes(memory);
    MasterUrl url = MasterUrl.parse(master);
    FaultPlan faults =
        DrillOptions.armable(
            plan == null ? defaultPlan() : FaultPlan.parse(plan), DrillOptions.ENVIRONMENT);
    if (seed != null) {
      faults = faults.withSeed(seed());
    }
    return new DrillOptions(scaleFactor, memoryBytes, faults, faults.seed(), url, keep);
  }

  private long seed() {
    try {
      return Long.parseLong(seed.strip());
    } catch (NumberFormatException e) {
      throw new UsageException(
          "--seed: '" + seed + "' is not a whole number from -2^63 to 2^63 - 1");
    }
  }

  static FaultPlan defaultPlan() throws IOException {
    return DrillOptions.planBeside(DrillCommand.class, "default-plan.yaml");
  }

  private static int refuse(PrintWriter err, String message) {
    err.println("spillway drill: " + message.strip().lines().findFirst().orElse("wrong option"));
    err.flush();
    return USAGE;
  }

  private static void stopAndWait(Drill drill, CountDownLatch done) {
    drill.stop();
    try {
      if (!done.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down already, and the hook is what waits for us.
      return;
    }
  }
}
