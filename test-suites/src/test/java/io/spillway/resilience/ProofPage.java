package io.spillway.resilience;

import io.spillway.report.ByteSize;
import io.spillway.resilience.mutation.Defect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The page {@code docs/resilience.md}. */
final class ProofPage {
  private static final String HEAD =
      """
      # What was injected, and what came of it

      Made from the reports of the tests by `ProofPage`; the figures stand beside this page in
      `resilience.json`. A test keeps the two alike. `mvn -Psoak verify` runs everything here, and
      `mvn -pl test-suites test -Dtest=ProofPageTest -Dspillway.docs.write=true` afterwards brings
      page and figures up to date with what it wrote below `test-suites/target`.

      """;

  private static final String SWEEPS =
      """
      ## Sweeps

      Each line is one query in too little memory, [run once for each call](testing.md) that it
      makes at each fault point, with each fault that the point can carry, once for that call alone
      and once from that call on. After each run the answer is right or the failure a clean one,
      nothing is left, and the next query of the same session is right. Tests with *Soak* in their
      name take every call. The others draw a small sample in every build, with the gravest fault
      of each point, so there are fewer faults there; and they fail as soon as a query has grown
      so far that the soak would have to draw too (7,500 faults).

      | test | faults there are | injected | recovered | task retried | failed cleanly | not reached | wrong |
      |---|---:|---:|---:|---:|---:|---:|---:|
      """;

  private static final String PROCESSES =
      """
      ## Real processes

      A cluster of two executors in processes of their own, with plugin and agent as jars. Each
      line is one application in which that was done. *Bytes left* are native bytes by the ledgers
      of all executors that lived at the end or ended in order; there was no spill file and no
      execution memory left in any of them either.

      | what was done | seconds | queries | right | failed as they should | attempts failed | killed | executors lost | spilled | reclaimed | bytes left |
      |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
      """;

  private static final String SOAK =
      """
      ## Soak

      Queries of TPC-H and the two of the drill, picked at random, one after the other in one
      session with 8 MiB of off-heap memory, under random faults; a line for each seed. A query
      that failed did so cleanly, and was right when it ran again at once. *Growth* is that of the
      line of least squares through the native memory after each query of the second half, which
      is what is resident without what the JVM accounts for itself (heap, code, classes, stacks),
      once malloc has given back what was freed.
      *Noise* is two standard deviations around that line, 8 MiB at the least; growth must stay
      below it.

      | seed | seconds | queries | faults that fired | failed cleanly, then right | wrong | growth | noise |
      |---:|---:|---:|---:|---:|---:|---:|---:|
      """;

  private static final String MUTATIONS =
      """
      ## Mistakes made on purpose

      A test that cannot fail proves nothing. Each of these mistakes is woven into Spillway's built
      classes, and the test beside it must fail, and pass again as soon as the mistake is out.

      | mistake | where | the test that notices it |
      |---|---|---|
      """;

  private ProofPage() {}

  static String markdown(ProofFigures figures) {
    return HEAD
        + sweeps(figures.sweeps())
        + processes(figures.processes())
        + soaks(figures.soaks())
        + mutations();
  }

  private static String sweeps(List<ProofFigures.Sweep> sweeps) {
    StringBuilder text = new StringBuilder(SWEEPS);
    for (ProofFigures.Sweep sweep : sweeps) {
      line(
          text,
          sweep.test(),
          count(sweep.found()),
          count(sweep.injected()),
          count(sweep.recovered()),
          count(sweep.retried()),
          count(sweep.failedCleanly()),
          count(sweep.notReached()),
          count(sweep.failed()));
    }
    return text.append('\n').toString();
  }

  private static String processes(List<ProcessReport> processes) {
    StringBuilder text = new StringBuilder(PROCESSES);
    for (ProcessReport one : processes) {
      line(
          text,
          one.what(),
          String.format(Locale.ROOT, "%.0f", one.seconds()),
          count(one.queries()),
          count(one.right()),
          count(one.failedCleanly()),
          count(one.tasksFailed()),
          count(one.tasksKilled()),
          count(one.executorsLost()),
          ByteSize.format(one.spilledBytes()),
          ByteSize.format(one.reclaimedBytes()),
          count(one.bytesLeft()));
    }
    return text.append('\n').toString();
  }

  private static String soaks(List<SoakReport> soaks) {
    if (soaks.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder(SOAK);
    for (SoakReport soak : soaks) {
      line(
          text,
          Long.toString(soak.seed()),
          count(soak.seconds()),
          count(soak.queries()),
          count(soak.faults()),
          count(soak.failedCleanly()),
          count(soak.wrong()),
          mebibytes(soak.growth().riseBytes()),
          mebibytes(soak.growth().noiseBytes()));
    }
    return text.append('\n').toString();
  }

  private static String mebibytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / (1 << 20));
  }

  private static String mutations() {
    StringBuilder text = new StringBuilder(MUTATIONS);
    List<Defect> all = new ArrayList<>(List.of(Defect.values()));
    for (Defect defect : all) {
      line(
          text,
          defect.toString(),
          "`" + simple(defect.type()) + "." + defect.method() + "`",
          "`" + simple(defect.catcher()) + "`");
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String simple(String name) {
    int hash = name.indexOf('#');
    int end = hash < 0 ? name.length() : hash;
    return name.substring(name.lastIndexOf('.', end) + 1);
  }
}
