package io.spillway.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One thing that is measured: the cases that it needs, and the lines of the report on it. */
final class Subject {
  private final String name;
  private final List<Case> cases;
  private final Function<List<List<Sample>>, List<Measure>> report;

  private Subject(
      String name, List<Case> cases, Function<List<List<Sample>>, List<Measure>> report) {
    this.name = name;
    this.cases = cases;
    this.report = report;
  }

  /** What is compared with nothing; {@code report} is given its samples, one a round. */
  static Subject alone(Case ours, Function<List<Sample>, List<Measure>> report) {
    return new Subject(
        ours.name(), List.of(ours), samples -> List.copyOf(report.apply(samples.get(0))));
  }

  /** What is measured beside something else, in the same rounds. */
  static Subject beside(String name, Case base, Case ours, Function<Paired, List<Measure>> report) {
    return new Subject(
        name,
        List.of(base, ours),
        samples -> report.apply(new Paired(samples.get(0), samples.get(1))));
  }

  /** What several cases are needed for; {@code report} is given the samples of each, in order. */
  static Subject of(
      String name, List<Case> cases, Function<List<List<Sample>>, List<Measure>> report) {
    return new Subject(name, cases, report);
  }

  String name() {
    return name;
  }

  List<Case> cases() {
    return cases;
  }

  /**
   * The lines of the report.
   *
   * @param samples for each case's name, one a round
   */
  List<Measure> measures(Map<String, List<Sample>> samples) {
    List<List<Sample>> mine = new ArrayList<>();
    for (Case each : cases) {
      mine.add(samples.get(each.name()));
    }
    return report.apply(mine);
  }
}
