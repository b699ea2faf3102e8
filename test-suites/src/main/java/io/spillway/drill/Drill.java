package io.spillway.drill;

import io.spillway.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One drill: data when it is missing, three passes, a report. Used by one thread; {@link #stop} may
 * come from another.
 */
final class Drill {
  private static final int DRIVER_HEAP_MIB = 2048;

  private final DrillOptions options;
  private final ProjectLayout layout;
  private final PrintWriter out;
  private final Path work;
  private final ChildJvm child = new ChildJvm();
  private volatile boolean stopped;

  Drill(DrillOptions options, ProjectLayout layout, PrintWriter out) {
    this.options = options;
    this.layout = layout;
    this.out = out;
    this.work =
        layout
            .reportDirectory()
            .resolve("work")
            .resolve(Long.toString(ProcessHandle.current().pid()));
  }

  /**
   * Runs the drill and writes both reports.
   *
   * @throws DrillException when a pass cannot be run to its end; work files then stay
   */
  DrillReport run() throws IOException, InterruptedException {
    long started = System.nanoTime();
    String startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    ReportFiles reports = new ReportFiles(layout.reportDirectory());
    reports.delete();
    Files.createDirectories(work);
    if (options.master().sharesExecutor()) {
      tell(
          options.master().url(),
          "tasks that run at once share one executor's memory, so the same seed may fire at other"
              + " keys next time");
    }
    DrillData data = DrillData.under(layout.dataRoot(), options.scale());
    if (!data.exists()) {
      makeData(data);
    }
    String plan = options.plan().toYaml();
    Path planFile = Files.writeString(work.resolve("plan.yaml"), plan);
    ReportAssembler assembler = new ReportAssembler();
    for (Pass pass : Pass.values()) {
      long passStarted = System.nanoTime();
      PassFiles files = PassFiles.of(work, pass);
      run(pass, files, data, planFile);
      assembler.add(pass, files, secondsSince(passStarted));
    }
    DrillReport report =
        assembler.report(options, layout.version(), startedAt, secondsSince(started), plan);
    reports.write(report);
    return report;
  }

  /** Where the work files are. */
  Path work() {
    return work;
  }

  /** Ends the JVM that runs now and lets none start. */
  void stop() {
    stopped = true;
    child.stop();
  }

  /** Whether {@link #stop} was called. */
  boolean isStopped() {
    return stopped;
  }

  /** Removes the work files. Reports and tables stay. */
  void removeWork() throws IOException {
    FileTrees.remove(work);
  }

  private void makeData(DrillData data) throws IOException, InterruptedException {
    Path directory = work.resolve("data");
    SparkHome home = SparkHome.create(directory.resolve("spark"), layout.sparkJars());
    List<Path> jars = new ArrayList<>(List.of(layout.drillJar()));
    jars.addAll(layout.drillJars());
    List<String> command = java(home.classPath(jars), directory.resolve("tmp"));
    command.add(DataMain.class.getName());
    command.add(data.directory().toString());
    // Beside the final place, so that moving it there is one step.
    Path making =
        layout.dataRoot().resolve("." + data.directory().getFileName() + "-" + work.getFileName());
    command.add(making.toString());
    command.add(options.scale().toPlainString());
    Path log = directory.resolve("driver.log");
    int exit = child.run(command, home.environment(), log, text -> tell("data", "making " + text));
    if (exit != 0 || !data.exists()) {
      throw ended("making the data", exit, log);
    }
  }

  private void run(Pass pass, PassFiles files, DrillData data, Path plan)
      throws IOException, InterruptedException {
    SparkHome home = SparkHome.create(files.sparkHome(), layout.sparkJars());
    Files.createDirectories(files.chaos());
    PassConf passConf = new PassConf(options.master(), files.sparkLocal(), options.memoryBytes());
    Map<String, String> conf = passConf.plain(pass.id());
    List<Path> jars = new ArrayList<>(List.of(layout.drillJar()));
    if (pass.hasSpillway()) {
      passConf.addSpillway(conf, layout.pluginJar());
      jars.add(layout.pluginJar());
    }
    jars.addAll(layout.drillJars());
    List<String> command = java(home.classPath(jars), files.directory().resolve("tmp"));
    if (pass.hasAgent()) {
      String agent =
          "-javaagent:"
              + layout.agentJar()
              + "=plan="
              + plan
              + ",out="
              + files.chaos()
              + ",environment="
              + DrillOptions.ENVIRONMENT;
      passConf.addAgent(conf, agent);
      if (options.master().isLocal()) {
        command.add(agent);
      }
    }
    command.add(PassMain.class.getName());
    command.add(files.spec().toString());
    Json.write(
        files.spec(),
        new PassSpec(
            conf,
            data.directory().toString(),
            data.scale().toPlainString(),
            files.results().toString(),
            files.outcome().toString(),
            pass.hasSpillway()));
    String where = "pass " + pass.number() + " of " + Pass.values().length;
    tell(where, pass.title());
    int exit = child.run(command, home.environment(), files.log(), text -> tell(where, text));
    if (exit != 0 || !Files.exists(files.outcome())) {
      throw ended(where + " (" + pass.title() + ")", exit, files.log());
    }
  }

  private static List<String> java(String classPath, Path temporary) throws IOException {
    List<String> command = ChildJvm.command(classPath, temporary, DRIVER_HEAP_MIB);
    command.addAll(List.of(PassConf.SHORT_LIVED.split(" ", -1)));
    return command;
  }

  private DrillException ended(String what, int exit, Path log) throws IOException {
    if (stopped) {
      return new DrillException("stopped while " + what + " was under way");
    }
    String last = "";
    if (Files.exists(log)) {
      try (Stream<String> lines = Files.lines(log)) {
        // What was thrown, not the frames below it.
        last =
            lines
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .reduce((a, b) -> b)
                .orElse("");
      }
    }
    return new DrillException(
        what
            + " ended with exit code "
            + exit
            + " before it was done; its log is "
            + log
            + (last.isEmpty() ? "" : " and ends with: " + last.strip()));
  }

  private void tell(String where, String what) {
    out.printf(Locale.ROOT, "%s: %s%n", where, what);
    out.flush();
  }

  private static double secondsSince(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1e9;
  }
}
