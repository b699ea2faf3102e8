package io.spillway.bench;

import io.spillway.compare.CometJar;
import io.spillway.compare.Engine;
import io.spillway.drill.ChildJvm;
import io.spillway.drill.FileTrees;
import io.spillway.drill.PassConf;
import io.spillway.drill.ResultComparison;
import io.spillway.drill.ResultFile;
import io.spillway.report.Json;
import io.spillway.tpch.TpchTables;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs workloads on engines: in each round every engine once, in a JVM of its own, every second
 * round in reverse order. A fork runs all workloads, each after a warm-up. The results of all
 * engines must be plain Spark's.
 */
final class EngineForks implements Forks {
  private final Options options;
  private final Path directory;
  private final PrintWriter out;
  private final ChildJvm child = new ChildJvm();

  /**
   * What is measured.
   *
   * @param home the checkout
   * @param scale of the tables; 1 makes TPC-H's scale factor 1 and 20 million rows
   * @param heap of each JVM, as {@code -Xmx} takes it
   * @param offHeap of Spark, for each engine
   * @param warmups runs of each workload that do not count
   * @param runs runs of each workload that count
   */
  record Options(Path home, String scale, String heap, String offHeap, int warmups, int runs) {}

  /**
   * @param directory for tables, results and logs
   * @param out told each figure as it comes
   */
  EngineForks(Options options, Path directory, PrintWriter out) {
    this.options = options;
    this.directory = directory;
    this.out = out;
  }

  /** The case of a workload on an engine; its samples are seconds. */
  static Case caseOf(String workload, Engine engine) {
    return new Case(
        workload + ", " + engine,
        workload,
        Map.of("engine", engine.name()),
        1,
        new Case.Effort(0, 1, 0));
  }

  @Override
  public Map<String, List<Sample>> run(List<Case> cases, int rounds) throws IOException {
    Path tpch = tables("tpch", TpchTables.directory(directory.resolve("tpch"), options.scale()));
    Path micro = tables("micro", directory.resolve("micro").resolve(options.scale()));
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    cases.forEach(each -> samples.put(each.name(), new ArrayList<>()));
    List<Engine> engines = new ArrayList<>();
    for (Engine engine : Engine.values()) {
      if (cases.stream().anyMatch(each -> engine.name().equals(engineOf(each)))) {
        engines.add(engine);
      }
    }
    for (int round = 1; round <= rounds; round++) {
      for (Engine engine : engines) {
        out.println("round " + round + " of " + rounds + ", " + engine);
        EngineSpec.Outcome outcome = fork(engine, workloads(cases, engine), tpch, micro);
        for (EngineSpec.Measured measured : outcome.workloads()) {
          samples
              .get(measured.name() + ", " + engine)
              .add(sample(engine, measured, outcome.peakResidentMib()));
        }
      }
      Collections.reverse(engines);
    }
    return samples;
  }

  private static String engineOf(Case each) {
    return each.parameters().get("engine");
  }

  private static List<String> workloads(List<Case> cases, Engine engine) {
    return cases.stream()
        .filter(each -> engine.name().equals(engineOf(each)))
        .map(Case::method)
        .toList();
  }

  private Sample sample(Engine engine, EngineSpec.Measured measured, double peakResidentMib)
      throws IOException {
    String name = measured.name() + ", " + engine;
    if (measured.error() != null) {
      throw new BenchException(name + " failed: " + measured.error());
    }
    Optional<String> difference =
        ResultComparison.difference(
            ResultFile.read(result(Engine.SPARK, measured.name())),
            ResultFile.read(result(engine, measured.name())),
            false);
    if (difference.isPresent()) {
      throw new BenchException(name + " has another result than SPARK: " + difference.get());
    }
    out.println(
        String.format(
            Locale.ROOT,
            "  %-40s %8.2f s %8.2f s cpu",
            name,
            measured.seconds(),
            measured.cpuSeconds()));
    out.flush();
    return new Sample(
        measured.seconds(),
        Map.of(
            CpuTime.LABEL,
            measured.cpuSeconds(),
            "spilledMib",
            measured.spilledMib(),
            "peakResidentMib",
            peakResidentMib));
  }

  private Path result(Engine engine, String workload) {
    return directory.resolve("results/" + engine + "/" + workload + ".jsonl");
  }

  private EngineSpec.Outcome fork(Engine engine, List<String> workloads, Path tpch, Path micro)
      throws IOException {
    Path local = Files.createDirectories(directory.resolve("local"));
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("spark.master", "local[2]");
    conf.put("spark.app.name", "spillway-bench " + engine);
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.local.dir", local.toString());
    conf.put("spark.sql.warehouse.dir", local.resolve("warehouse").toString());
    conf.put("spark.sql.session.timeZone", "UTC");
    conf.put("spark.sql.datetime.java8API.enabled", "true");
    conf.put("spark.sql.shuffle.partitions", "8");
    conf.put("spark.memory.offHeap.enabled", "true");
    conf.put("spark.memory.offHeap.size", options.offHeap());
    engine.addTo(conf);
    Path outcome = directory.resolve("outcome.json");
    Path spec = directory.resolve("spec.json");
    Json.write(
        spec,
        new EngineSpec(
            conf,
            tpch.toString(),
            micro.toString(),
            workloads,
            options.warmups(),
            options.runs(),
            directory.resolve("results/" + engine).toString(),
            outcome.toString()));
    Files.deleteIfExists(outcome);
    String classPath = System.getProperty("java.class.path");
    if (engine == Engine.COMET) {
      classPath += File.pathSeparator + comet();
    }
    jvm(classPath, engine.toString(), "run", spec.toString());
    FileTrees.remove(local);
    return Json.read(outcome, EngineSpec.Outcome.class);
  }

  private Path comet() throws IOException {
    try {
      return CometJar.in(options.home().resolve("target/compare/comet"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted while Comet's jar was fetched", e);
    }
  }

  /** The folder, made first if it is not there; it is moved into place whole. */
  private Path tables(String kind, Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      out.println("making the tables of " + kind + " at scale " + options.scale());
      out.flush();
      Path making = directory.resolve("making-" + kind);
      FileTrees.remove(making);
      jvm(System.getProperty("java.class.path"), "data", kind, making.toString(), options.scale());
      Files.createDirectories(folder.getParent());
      Files.move(making, folder);
    }
    return folder;
  }

  private void jvm(String classPath, String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(PassConf.moduleOptions()));
    command.addAll(
        List.of(
            "-Xms" + options.heap(),
            "-Xmx" + options.heap(),
            "-Duser.timezone=UTC",
            "-Dlog4j2.configurationFile=classpath:io/spillway/bench/log4j2.properties",
            "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")),
            "-cp",
            classPath,
            EngineFork.class.getName()));
    command.addAll(List.of(arguments));
    Path log = directory.resolve(name + ".log");
    try {
      int exit = child.run(command, Map.of(), log, text -> {});
      if (exit != 0) {
        throw new BenchException(name + " ended with exit code " + exit + ", see " + log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted while " + name + " ran", e);
    }
  }
}
