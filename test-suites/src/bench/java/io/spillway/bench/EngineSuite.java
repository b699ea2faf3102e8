package io.spillway.bench;

import io.spillway.compare.Engine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Whole queries on plain Spark, on Spillway and, if asked for, on Comet. */
final class EngineSuite implements BenchSuite {
  private static final Target NOT_SLOWER = Target.atLeast(1);
  private static final Target MEAN = Target.atLeast(1.3);
  private static final Target RESIDENT = Target.atMost(1);

  /** Of queries that take less, differences say nothing. */
  private static final double JUDGED_SECONDS = 1;

  private final Path home;
  private final String scale;
  private final boolean comet;

  /**
   * @param home the checkout
   * @param scale of the tables
   * @param comet whether Comet is measured too
   */
  EngineSuite(Path home, String scale, boolean comet) {
    this.home = home;
    this.scale = scale;
    this.comet = comet;
  }

  @Override
  public String name() {
    return "engines";
  }

  @Override
  public int rounds() {
    return 5;
  }

  @Override
  public Forks forks(Path directory, boolean quick, PrintWriter out) {
    return new EngineForks(
        new EngineForks.Options(home, quick ? "0.01" : scale, "3g", "3g", 1, quick ? 1 : 3),
        directory.resolve("engines"),
        out);
  }

  @Override
  public List<Subject> subjects(boolean quick) {
    List<Subject> subjects = new ArrayList<>();
    for (Workload workload : Workload.all()) {
      String name = workload.name();
      Case spark = EngineForks.caseOf(name, Engine.SPARK);
      subjects.add(
          Subject.beside(
              name, spark, EngineForks.caseOf(name, Engine.SPILLWAY), pairs -> lines(name, pairs)));
      if (comet) {
        String line = name + ", Comet";
        subjects.add(
            Subject.beside(
                line,
                spark,
                EngineForks.caseOf(name, Engine.COMET),
                pairs -> List.of(pairs.speedup(line, Sample::score, null))));
      }
    }
    subjects.add(mean("all, geometric mean", Engine.SPILLWAY, MEAN));
    if (comet) {
      subjects.add(mean("all, geometric mean, Comet", Engine.COMET, null));
    }
    return subjects;
  }

  private static List<Measure> lines(String name, Paired pairs) {
    boolean judged = Figure.of(pairs.base(), Sample::score).median() > JUDGED_SECONDS;
    return List.of(
        pairs.speedup(name, Sample::score, judged ? NOT_SLOWER : null),
        pairs.speedup(name + ", cpu", Sample::cpu, null),
        pairs.difference(name + ", spilled", "MiB", each -> each.other("spilledMib"), null));
  }

  /** Over all workloads, round by round; and what the process held at most. */
  private static Subject mean(String line, Engine engine, Target target) {
    List<Case> cases = new ArrayList<>();
    Workload.all().forEach(each -> cases.add(EngineForks.caseOf(each.name(), Engine.SPARK)));
    int workloads = cases.size();
    Workload.all().forEach(each -> cases.add(EngineForks.caseOf(each.name(), engine)));
    return Subject.of(
        line,
        cases,
        samples -> {
          int rounds = samples.get(0).size();
          List<Double> means =
              IntStream.range(0, rounds)
                  .mapToObj(round -> mean(samples, workloads, round))
                  .toList();
          Paired last = new Paired(samples.get(workloads - 1), samples.get(2 * workloads - 1));
          return List.of(
              Measure.single(line, "x", Figure.of(means), target),
              last.ratio(
                  line.replace("geometric mean", "peak resident"),
                  "MiB",
                  each -> each.other("peakResidentMib"),
                  engine == Engine.SPILLWAY ? RESIDENT : null));
        });
  }

  private static double mean(List<List<Sample>> samples, int workloads, int round) {
    double logs = 0;
    for (int i = 0; i < workloads; i++) {
      logs +=
          Math.log(
              samples.get(i).get(round).score() / samples.get(workloads + i).get(round).score());
    }
    return Math.exp(logs / workloads);
  }
}
