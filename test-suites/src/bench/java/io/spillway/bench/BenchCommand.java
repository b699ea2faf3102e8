package io.spillway.bench;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
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
  private static final BigDecimal MOST_SCALE = BigDecimal.valueOf(100);

  @Parameters(
      paramLabel = "SUITE",
      arity = "1",
      description = "What to measure: memory, chaos or engines.")
  private String suite;

  @Option(
      names = "--rounds",
      paramLabel = "NUMBER",
      description = "Forks of each case, 1 to 1000 (default: 9; engines 5).")
  private Integer rounds;

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
      names = "--scale",
      paramLabel = "FACTOR",
      description = "engines: scale of the tables, above 0 and up to 100 (default: 1).")
  private BigDecimal scale;

  @Option(names = "--comet", description = "engines: measure Comet too.")
  private boolean comet;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Spec private CommandSpec spec;

  private final Path home;

  BenchCommand(Path home) {
    this.home = home;
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
    BenchSuite wanted = wanted();
    List<Subject> subjects = chosen(wanted);
    List<Case> cases = subjects.stream().flatMap(each -> each.cases().stream()).distinct().toList();
    Path directory = home.resolve("test-suites/target/bench");
    int forks = rounds(wanted);
    Map<String, List<Sample>> samples = wanted.forks(directory, quick, out).run(cases, forks);
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

  private BenchSuite wanted() {
    boolean engines = suite.equals("engines");
    if (!engines && (scale != null || comet)) {
      throw usage("--scale and --comet are for the suite engines");
    }
    BigDecimal factor = scale == null ? BigDecimal.ONE : scale;
    if (factor.signum() <= 0 || factor.compareTo(MOST_SCALE) > 0) {
      throw usage("--scale: " + factor.toPlainString() + " is not above 0 and up to " + MOST_SCALE);
    }
    List<BenchSuite> suites =
        List.of(
            new MemorySuite(),
            new ChaosSuite(home),
            new EngineSuite(home, factor.stripTrailingZeros().toPlainString(), comet));
    return suites.stream()
        .filter(each -> each.name().equals(suite))
        .findFirst()
        .orElseThrow(
            () ->
                usage(
                    "'"
                        + suite
                        + "' is no suite; there are: "
                        + suites.stream().map(BenchSuite::name).collect(Collectors.joining(", "))));
  }

  private List<Subject> chosen(BenchSuite wanted) {
    List<Subject> subjects =
        wanted.subjects(quick).stream().filter(each -> each.name().startsWith(only)).toList();
    if (subjects.isEmpty()) {
      throw usage("--only: no line of " + suite + " begins with '" + only + "'");
    }
    return subjects;
  }

  private int rounds(BenchSuite wanted) {
    if (rounds == null) {
      return quick ? QUICK_ROUNDS : wanted.rounds();
    }
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw usage("--rounds: " + rounds + " is not between 1 and " + MOST_ROUNDS);
    }
    return rounds;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
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
