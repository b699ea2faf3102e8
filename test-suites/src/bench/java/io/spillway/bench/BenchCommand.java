package io.spillway.bench;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ./spillway bench}. Exit codes: 0 no target was missed, or a smoke run; 1 a target was
 * missed or a benchmark failed; 2 a wrong option.
 */
@Command(
    name = "spillway bench",
    sortOptions = false,
    usageHelpWidth = 100,
    description = "Measures, each figure beside what it is compared with, and judges the targets.",
    footer = {
      "",
      "Reports: test-suites/target/bench/SUITE.json.",
      "Exit codes: 0 no target missed, 1 missed or failed, 2 a wrong option."
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int USAGE = 2;
  private static final int MOST_ROUNDS = 1000;
  private static final int QUICK_ROUNDS = 1;

  @Parameters(paramLabel = "SUITE", arity = "1", description = "What to measure: memory or chaos.")
  private String suite;

  @Option(
      names = "--rounds",
      paramLabel = "NUMBER",
      defaultValue = "9",
      description = "Forks of each case, 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--quick",
      description = "A smoke run: all benchmarks, very short; judges nothing.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Only lines whose name begins so, such as 'spill'; writes no report.")
  private String only;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Spec private CommandSpec spec;

  private final Path home;
  private final List<BenchSuite> suites;

  BenchCommand(Path home) {
    this.home = home;
    this.suites = List.of(new MemorySuite(), new ChaosSuite(home));
  }

  /** Runs the command. The system property {@code spillway.home} names the checkout. */
  public static void main(String[] arguments) {
    Path home = Path.of(System.getProperty("spillway.home", "."));
    System.exit(commandLine(home).execute(arguments));
  }

  /** The command for a checkout, with one-sentence errors. */
  static CommandLine commandLine(Path home) {
    CommandLine line = new CommandLine(new BenchCommand(home));
    line.setParameterExceptionHandler(
        (e, arguments) -> refuse(e.getCommandLine().getErr(), USAGE, e.getMessage()));
    line.setExecutionExceptionHandler(
        (e, failed, result) ->
            e instanceof ParameterException
                ? refuse(failed.getErr(), USAGE, e.getMessage())
                : refuse(failed.getErr(), 1, e.toString()));
    return line;
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Subject> subjects = chosen();
    List<Case> cases = subjects.stream().flatMap(each -> each.cases().stream()).distinct().toList();
    Path directory = home.resolve("test-suites/target/bench");
    int forks = rounds();
    Map<String, List<Sample>> samples = new Rounds(directory.resolve("tmp"), out).run(cases, forks);
    List<Measure> measures =
        subjects.stream()
            .flatMap(each -> each.measures(samples).stream())
            .map(each -> quick ? each.unjudged() : each)
            .toList();
    BenchReport report = BenchReport.here(suite, forks, quick, measures);
    out.println();
    out.print(ReportTable.of(measures));
    out.println();
    if (only.isEmpty()) {
      out.println(write(directory.resolve(suite + ".json"), report));
    }
    out.println(
        quick
            ? "a smoke run, nothing is judged"
            : report.ok() ? "no target missed" : "TARGET MISSED");
    out.flush();
    return quick || report.ok() ? 0 : 1;
  }

  private List<Subject> chosen() {
    BenchSuite wanted =
        suites.stream()
            .filter(each -> each.name().equals(suite))
            .findFirst()
            .orElseThrow(() -> usage("'" + suite + "' is no suite; there is: " + names()));
    List<Subject> subjects =
        wanted.subjects(quick).stream().filter(each -> each.name().startsWith(only)).toList();
    if (subjects.isEmpty()) {
      throw usage("--only: no line of " + suite + " begins with '" + only + "'");
    }
    return subjects;
  }

  private int rounds() {
    if (quick && spec.commandLine().getParseResult().matchedOption("--rounds") == null) {
      return QUICK_ROUNDS;
    }
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw usage("--rounds: " + rounds + " is not between 1 and " + MOST_ROUNDS);
    }
    return rounds;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private String names() {
    return suites.stream().map(BenchSuite::name).collect(Collectors.joining(", "));
  }

  private static Path write(Path file, BenchReport report) throws IOException {
    Files.createDirectories(file.getParent());
    JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValue(file.toFile(), report);
    return file;
  }

  private static int refuse(PrintWriter err, int exit, String message) {
    err.println("spillway bench: " + message.strip().lines().findFirst().orElse("wrong option"));
    err.flush();
    return exit;
  }
}
