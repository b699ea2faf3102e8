package io.spillway.bench;

import io.spillway.drill.ProjectLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the chaos agent costs: a call through a seam, and a pass over the queries of TPC-H. */
final class ChaosSuite implements BenchSuite {
  private static final String BATCH = "seam, batch";
  private static final String KERNEL = "seam, kernel call";
  private static final String SEAM = "io.spillway.memory.SeamBenchmark.";
  private static final String PASS = "io.spillway.tpch.TpchPassBenchmark.pass";

  private static final Target SEAM_NANOS = Target.atMost(20);
  private static final Target PERCENT_OF_PASS = Target.atMost(2);

  /** Attached without a plan a pass takes 1.00 of its time, the noise of such passes apart. */
  private static final Target ATTACHED = Target.atMost(1.02);

  /**
   * A rule for every point that a job with Spillway can reach without asking for the JDK's own;
   * none of them matches, because no query has the label.
   */
  private static final Map<String, String> FAULTS =
      Map.ofEntries(
          Map.entry("memory.acquire", "{delay: {millis: 1}}"),
          Map.entry("memory.page", "out-of-memory"),
          Map.entry("native.alloc", "out-of-memory"),
          Map.entry("native.register", "error"),
          Map.entry("kernel.call", "error"),
          Map.entry("kernel.state", "error"),
          Map.entry("arrow.alloc", "out-of-memory"),
          Map.entry("spill.open", "error"),
          Map.entry("spill.write", "error"),
          Map.entry("spill.flush", "error"),
          Map.entry("spill.read", "error"),
          Map.entry("spill.delete", "error"),
          Map.entry("spill.close", "error"),
          Map.entry("shuffle.write", "error"),
          Map.entry("shuffle.fetch", "error"),
          Map.entry("task.start", "exception"),
          Map.entry("task.batch", "exception"),
          Map.entry("task.end", "exception"),
          Map.entry("plugin.rpc", "error"));

  private final Path home;

  /**
   * @param home the checkout, whose agent is measured
   */
  ChaosSuite(Path home) {
    this.home = home;
  }

  @Override
  public String name() {
    return "chaos";
  }

  @Override
  public List<Subject> subjects(boolean quick) {
    Case.Effort calling = quick ? new Case.Effort(1, 2, 100) : new Case.Effort(5, 5, 300);
    Case.Effort passing = quick ? new Case.Effort(0, 1, 1) : new Case.Effort(1, 1, 1);
    String scale = quick ? "0.01" : "0.1";
    Case batchBare = seam(BATCH, "batch", "BARE", calling, List.of());
    Case batchArmed = seam(BATCH, "batch", "ARMED", calling, List.of(armedAgent()));
    Case kernelBare = seam(KERNEL, "kernel", "BARE", calling, List.of());
    Case kernelArmed = seam(KERNEL, "kernel", "ARMED", calling, List.of(armedAgent()));
    Case none = pass("NONE", scale, passing, List.of());
    Case attached = pass("ATTACHED", scale, passing, List.of("-javaagent:" + agent()));
    Case armed = pass("ARMED", scale, passing, List.of(armedAgent()));
    return List.of(
        Subject.beside(BATCH, batchBare, batchArmed, pairs -> extra(BATCH, pairs)),
        Subject.beside(KERNEL, kernelBare, kernelArmed, pairs -> extra(KERNEL, pairs)),
        Subject.beside(
            "pass, attached", none, attached, pairs -> ratio("pass, attached", pairs, ATTACHED)),
        Subject.beside("pass, armed", none, armed, pairs -> ratio("pass, armed", pairs, null)),
        Subject.of(
            "pass, armed: seams",
            List.of(batchBare, batchArmed, kernelBare, kernelArmed, armed),
            ChaosSuite::share));
  }

  private static List<Measure> extra(String line, Paired pairs) {
    return List.of(pairs.difference(line, "ns", Sample::score, SEAM_NANOS));
  }

  private static List<Measure> ratio(String line, Paired pairs, Target target) {
    return List.of(
        pairs.ratio(line, "ms", Sample::score, target),
        pairs.ratio(line + ", cpu", "ms", Sample::cpu, null));
  }

  /** Calls of a pass by the time of the dearer seam, as a share of the pass. */
  private static List<Measure> share(List<List<Sample>> samples) {
    List<Sample> passes = samples.get(4);
    List<Double> percents =
        IntStream.range(0, passes.size())
            .mapToObj(
                i -> {
                  double check = samples.get(1).get(i).score() - samples.get(0).get(i).score();
                  double kernel = samples.get(3).get(i).score() - samples.get(2).get(i).score();
                  Sample pass = passes.get(i);
                  double nanos = pass.other("seamCalls") * Math.max(check, kernel);
                  return 100 * nanos / (pass.score() * 1e6);
                })
            .toList();
    return List.of(
        Measure.single(
            "pass, armed: calls to seams",
            "calls",
            Figure.of(passes, pass -> pass.other("seamCalls")),
            null),
        Measure.single("pass, armed: time in seams", "%", Figure.of(percents), PERCENT_OF_PASS));
  }

  private static Case seam(
      String line, String method, String side, Case.Effort effort, List<String> jvm) {
    return new Case(line + ", " + side, SEAM + method, Map.of("side", side), 1, effort, jvm);
  }

  private static Case pass(String side, String scale, Case.Effort effort, List<String> agent) {
    List<String> jvm = new ArrayList<>(List.of("-Xms2g", "-Xmx2g"));
    jvm.addAll(agent);
    return new Case("pass, " + side, PASS, Map.of("side", side, "scale", scale), 1, effort, jvm);
  }

  private Path agent() {
    return ProjectLayout.at(home).agentJar();
  }

  private String armedAgent() {
    Path out = home.resolve("test-suites/target/bench/tmp/chaos").toAbsolutePath();
    StringBuilder plan = new StringBuilder("version: 1\nseed: 7\nrules:\n");
    FAULTS.forEach(
        (point, fault) ->
            plan.append("  - {point: ")
                .append(point)
                .append(", fault: ")
                .append(fault)
                .append(", when: {probability: 1}, where: {label: no-query-has-this-label}}\n"));
    try {
      Files.createDirectories(out);
      Path file = Files.writeString(out.resolve("plan.yaml"), plan);
      return "-javaagent:" + agent() + "=plan=" + file + ",out=" + out;
    } catch (IOException e) {
      throw new UncheckedIOException("the plan of the armed side cannot be written", e);
    }
  }
}
