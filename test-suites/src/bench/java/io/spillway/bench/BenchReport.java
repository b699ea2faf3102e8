package io.spillway.bench;

import java.util.List;

/**
 * A suite's report, as it is written in JSON.
 *
 * @param suite its name
 * @param rounds how many forks of each case
 * @param quick whether it was a smoke run, whose figures say nothing
 * @param java version of the JVM
 * @param system name, version and architecture
 * @param processors that the JVM sees
 * @param measures its lines
 */
record BenchReport(
    String suite,
    int rounds,
    boolean quick,
    String java,
    String system,
    int processors,
    List<Measure> measures) {

  /** A report of this JVM and machine. */
  static BenchReport here(String suite, int rounds, boolean quick, List<Measure> measures) {
    return new BenchReport(
        suite,
        rounds,
        quick,
        Runtime.version().toString(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        measures);
  }

  /** Whether no target was missed. */
  boolean ok() {
    return measures.stream().noneMatch(each -> each.verdict() == Target.Verdict.MISSED);
  }
}
