package io.spillway.cli;

import io.spillway.chaos.Catalogue;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.PlanException;
import io.spillway.chaos.Trigger;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ./spillway chaos}. Exit codes: 0 done, 1 the result could not be written or a class not
 * given its own code back, 2 a wrong option, plan, record of faults or JVM.
 */
@Command(
    name = "spillway chaos",
    description = "What the fault-injection agent can do, and plans for it.",
    usageHelpWidth = 100,
    subcommands = {
      ChaosCommand.Points.class,
      ChaosCommand.Check.class,
      ChaosCommand.Replay.class,
      AttachCommand.class,
      StatusCommand.class,
      DetachCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 not written or not undone, 2 a wrong option, plan, record or JVM."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final int USAGE = 2;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.",
      scope = CommandLine.ScopeType.INHERIT)
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Spec private CommandSpec spec;

  /** Runs the command. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command, with one-sentence errors. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ChaosCommand());
    line.setParameterExceptionHandler(
        (e, arguments) -> refuse(e.getCommandLine().getErr(), USAGE, e.getMessage()));
    line.setExecutionExceptionHandler(
        (e, failed, result) ->
            e instanceof PlanException || e instanceof AttachException
                ? refuse(failed.getErr(), USAGE, e.getMessage())
                : refuse(failed.getErr(), 1, e.toString()));
    return line;
  }

  @Override
  public Integer call() {
    return refuse(
        spec.commandLine().getErr(),
        USAGE,
        "name a command: points, check, replay, attach, status or detach; --help tells");
  }

  private static int refuse(PrintWriter err, int exit, String message) {
    err.println("spillway chaos: " + message.strip().lines().findFirst().orElse("wrong option"));
    err.flush();
    return exit;
  }

  /** Prints the catalogue. */
  @Command(name = "points", description = "Prints every fault point: seam, signature, faults.")
  static final class Points implements Callable<Integer> {
    @Option(names = "--markdown", description = "As the page docs/chaos-points.md.")
    private boolean markdown;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      out.print(markdown ? Catalogue.markdown() : Catalogue.text());
      out.flush();
      return 0;
    }
  }

  /** Checks a plan as the agent would, without arming it. */
  @Command(name = "check", description = "Checks a plan as the agent would, and arms nothing.")
  static final class Check implements Callable<Integer> {
    @Parameters(paramLabel = "PLAN", description = "The YAML plan.")
    private Path file;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      FaultPlan plan = FaultPlan.parse(file);
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "%s is a plan: seed %d, environment %s%s"
              .formatted(
                  file,
                  plan.seed(),
                  plan.environment().orElse("any"),
                  plan.mode() == FaultPlan.Mode.DRY_RUN ? ", dry run" : ""));
      int number = 0;
      for (FaultRule rule : plan.rules()) {
        number++;
        out.println(
            "rule %d: %s at %s%s"
                .formatted(number, rule.fault().describe(), rule.point(), keys(rule)));
      }
      out.flush();
      return 0;
    }

    private static String keys(FaultRule rule) {
      return rule.when() instanceof Trigger.Keys keys
          ? " at " + keys.keys().size() + " named calls"
          : "";
    }
  }

  /** Makes a plan of what fired. */
  @Command(
      name = "replay",
      description = "Makes the plan that fires exactly what a run's agents wrote down.")
  static final class Replay implements Callable<Integer> {
    @Parameters(
        paramLabel = "FIRED",
        arity = "1..*",
        description = "fired-<pid>.jsonl files of one run, or directories with them.")
    private List<Path> fired;

    @Option(
        names = "--out",
        paramLabel = "PLAN",
        description = "Where to write the plan (default: standard output).")
    private Path plan;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      String yaml = FaultPlan.replay(fired).toYaml();
      // What is larger than a plan may be is refused here and not by the agent.
      FaultPlan checked = FaultPlan.parse("the replay", yaml);
      PrintWriter out = spec.commandLine().getOut();
      if (plan == null) {
        out.print(yaml);
      } else {
        Files.writeString(plan, yaml);
        out.println("%s: %d rules".formatted(plan, checked.rules().size()));
      }
      out.flush();
      return 0;
    }
  }
}
