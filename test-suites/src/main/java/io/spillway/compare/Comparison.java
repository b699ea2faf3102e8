package io.spillway.compare;

import io.spillway.drill.ChildJvm;
import io.spillway.drill.DrillException;
import io.spillway.drill.FileTrees;
import io.spillway.drill.PassConf;
import io.spillway.drill.ProjectLayout;
import io.spillway.drill.ResultComparison;
import io.spillway.drill.ResultFile;
import io.spillway.drill.SparkHome;
import io.spillway.report.ChaosReport;
import io.spillway.report.Json;
import io.spillway.report.JvmFiles;
import io.spillway.report.RunPage;
import io.spillway.report.RunReader;
import io.spillway.tpch.TpchTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the queries on plain Spark without faults, for the right answers, and then on each engine
 * with the same faults, every time in an application of its own. Used by one thread; {@link #stop}
 * may come from another.
 */
final class Comparison {
  /** Joins and aggregations over several stages: what these engines are for. */
  static final List<Integer> QUERIES = List.of(3, 9, 18);

  private final ComparisonOptions options;
  private final ProjectLayout layout;
  private final PrintWriter out;
  private final Path work;
  private final ChildJvm child = new ChildJvm();

  Comparison(ComparisonOptions options, ProjectLayout layout, PrintWriter out) {
    this.options = options;
    this.layout = layout;
    this.out = out;
    this.work =
        layout
            .home()
            .resolve("target/compare/work")
            .resolve(Long.toString(ProcessHandle.current().pid()));
  }

  /** Where everything that a run leaves lies. */
  Path work() {
    return work;
  }

  /** Ends the JVM that runs now and lets none start. */
  void stop() {
    child.stop();
  }

  /**
   * Runs everything.
   *
   * @param pages folder for a page for each engine
   * @throws DrillException if there are no right answers to compare with, or a part is missing
   */
  ComparisonReport run(Path pages) throws IOException, InterruptedException {
    Files.createDirectories(work);
    Path data =
        TpchTables.directory(
            layout.dataRoot().resolveSibling("tpch-data"), options.scale().toPlainString());
    if (!Files.isDirectory(data)) {
      makeData(data);
    }
    String plan = options.plan().toYaml();
    Path planFile = Files.writeString(work.resolve("plan.yaml"), plan);
    Path oracle = work.resolve("oracle");
    int exit = run("plain Spark, no faults", Engine.SPARK, oracle, data, Optional.empty());
    EngineOutcome answers = outcome(oracle);
    if (exit != 0
        || answers.queries().size() != QUERIES.size()
        || answers.queries().stream().anyMatch(query -> query.error() != null)) {
      throw new DrillException(
          "plain Spark gave no right answers without faults, see " + oracle.resolve("driver.log"));
    }
    List<ComparisonReport.EngineReport> engines = new ArrayList<>();
    for (Engine engine : options.engines()) {
      Path directory = work.resolve(engine.id());
      int driverExit = run(engine.id(), engine, directory, data, Optional.of(planFile));
      engines.add(report(engine, driverExit, directory, oracle, pages));
    }
    return new ComparisonReport(
        options.scale().toPlainString(),
        options.memoryBytes(),
        options.master().url(),
        plan,
        engines);
  }

  private ComparisonReport.EngineReport report(
      Engine engine, int driverExit, Path directory, Path oracle, Path pages) throws IOException {
    EngineOutcome outcome = outcome(directory);
    ChaosReport chaos = null;
    if (!JvmFiles.readAll(directory.resolve("chaos")).isEmpty()) {
      RunReader run =
          RunReader.of(directory.resolve("chaos"), outcome.attempts(), outcome.executorsLost());
      chaos = run.report(Optional.empty());
      Json.writeWhole(pages.resolve(engine.id() + ".html"), RunPage.of(chaos, run));
    }
    List<ComparisonReport.Query> queries = new ArrayList<>();
    for (int number : QUERIES) {
      String name = "tpch-" + number;
      Optional<EngineOutcome.Query> ran =
          outcome.queries().stream().filter(query -> query.name().equals(name)).findFirst();
      queries.add(
          ran.isEmpty()
              ? new ComparisonReport.Query(name, 0, "not run", "the driver had ended", 0)
              : judged(ran.get(), directory, oracle));
    }
    return new ComparisonReport.EngineReport(engine.id(), driverExit, queries, chaos);
  }

  private static ComparisonReport.Query judged(
      EngineOutcome.Query query, Path directory, Path oracle) throws IOException {
    if (query.error() != null) {
      return new ComparisonReport.Query(query.name(), query.seconds(), "failed", query.error(), 0);
    }
    String file = "results/" + query.name() + ".jsonl";
    Optional<String> difference =
        ResultComparison.difference(
            ResultFile.read(oracle.resolve(file)), ResultFile.read(directory.resolve(file)), false);
    return new ComparisonReport.Query(
        query.name(),
        query.seconds(),
        difference.isEmpty() ? "equal" : "different",
        difference.orElse(null),
        query.foreignOperators());
  }

  private static EngineOutcome outcome(Path directory) throws IOException {
    Path file = directory.resolve("outcome.json");
    return Files.exists(file) ? Json.read(file, EngineOutcome.class) : EngineOutcome.NOTHING;
  }

  private void makeData(Path data) throws IOException, InterruptedException {
    Path directory = work.resolve("data");
    SparkHome home = SparkHome.create(directory.resolve("spark"), layout.sparkJars());
    List<String> command = java(home.classPath(ownJars()), directory);
    // Beside the final place, so that moving it there is one step.
    Path making = data.resolveSibling("." + data.getFileName() + "-" + work.getFileName());
    command.addAll(
        List.of(
            EngineMain.class.getName(),
            "data",
            data.toString(),
            making.toString(),
            options.scale().toPlainString()));
    tell("data", "making TPC-H at scale " + options.scale().toPlainString());
    Path log = directory.resolve("driver.log");
    int exit = child.run(command, home.environment(), log, text -> tell("data", text));
    FileTrees.remove(directory.resolve("spark"));
    if (exit != 0) {
      throw new DrillException("making the data ended with exit code " + exit + ", see " + log);
    }
  }

  private int run(String where, Engine engine, Path directory, Path data, Optional<Path> plan)
      throws IOException, InterruptedException {
    List<Path> jars = new ArrayList<>(layout.sparkJars());
    if (engine == Engine.COMET) {
      // Its shuffle manager is needed when an executor starts: --jars would come too late.
      jars.add(CometJar.in(layout.home().resolve("target/compare/comet")));
    }
    SparkHome home = SparkHome.create(directory.resolve("spark"), jars);
    PassConf passConf =
        new PassConf(options.master(), directory.resolve("local"), options.memoryBytes());
    Map<String, String> conf = passConf.plain("compare " + where);
    List<Path> own = new ArrayList<>(ownJars());
    if (engine == Engine.SPILLWAY) {
      passConf.addSpillway(conf, layout.pluginJar());
      own.add(layout.pluginJar());
    }
    conf.put("spark.memory.offHeap.enabled", "true");
    conf.put("spark.memory.offHeap.size", Long.toString(options.memoryBytes()));
    engine.addTo(conf);
    List<String> command = java(home.classPath(own), directory);
    if (plan.isPresent()) {
      Path chaos = Files.createDirectories(directory.resolve("chaos"));
      String agent =
          "-javaagent:%s=plan=%s,out=%s,environment=%s"
              .formatted(layout.agentJar(), plan.get(), chaos, ComparisonOptions.ENVIRONMENT);
      passConf.addAgent(conf, agent);
      if (options.master().isLocal()) {
        command.add(agent);
      }
    }
    Path spec = directory.resolve("spec.json");
    Json.write(
        spec,
        new EngineSpec(
            conf,
            data.toString(),
            QUERIES,
            directory.resolve("results").toString(),
            directory.resolve("outcome.json").toString()));
    command.addAll(List.of(EngineMain.class.getName(), "run", spec.toString()));
    int exit =
        child.run(
            command,
            home.environment(),
            directory.resolve("driver.log"),
            text -> tell(where, text));
    // Rows, logs and what the agents wrote stay; executors' own folders lie below Spark's.
    FileTrees.remove(directory.resolve("local"));
    FileTrees.remove(directory.resolve("tmp"));
    FileTrees.remove(directory.resolve("spark/jars"));
    return exit;
  }

  private List<Path> ownJars() {
    List<Path> jars = new ArrayList<>(List.of(layout.drillJar()));
    jars.addAll(layout.drillJars());
    return jars;
  }

  private static List<String> java(String classPath, Path directory) throws IOException {
    return ChildJvm.command(classPath, directory.resolve("tmp"), ComparisonOptions.DRIVER_HEAP_MIB);
  }

  private void tell(String where, String what) {
    out.printf(Locale.ROOT, "%s: %s%n", where, what);
    out.flush();
  }
}
