package io.spillway.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads a run's directory and makes its report. Used by one thread. */
public final class RunReader {
  private final Path directory;
  private final List<JvmFiles> jvms;
  private final EventLog events;

  private RunReader(Path directory, List<JvmFiles> jvms, EventLog events) {
    this.directory = directory;
    this.jvms = jvms;
    this.events = events;
  }

  /**
   * Reads what the agents of one run wrote.
   *
   * @param directory the agents' {@code out}
   * @param eventLog of the application, which alone knows exit codes; empty: none
   * @throws RecordException if there is no record in it, or one that cannot be read
   */
  public static RunReader of(Path directory, Optional<Path> eventLog) {
    List<JvmFiles> jvms = JvmFiles.readAll(directory);
    if (jvms.isEmpty()) {
      throw new RecordException(
          directory + " has no points-<pid>.json: give the directory that the agents had as 'out'");
    }
    return new RunReader(directory, jvms, eventLog.map(EventLog::read).orElse(EventLog.NONE));
  }

  /**
   * Reads what the agents of one run wrote, beside what a listener in its driver saw.
   *
   * @param directory the agents' {@code out}
   * @param attempts every task attempt that ended
   * @param lost executors that were removed before Spark was stopped
   * @throws RecordException if there is no record in the directory, or one that cannot be read
   */
  public static RunReader of(Path directory, List<AttemptEnd> attempts, List<ExecutorLost> lost) {
    return new RunReader(
        directory, of(directory, Optional.empty()).jvms(), new EventLog(attempts, lost));
  }

  /** The JVMs, by process id. */
  public List<JvmFiles> jvms() {
    return jvms;
  }

  /** Every fault of the run. */
  public List<FiredFault> fired() {
    return jvms.stream().flatMap(jvm -> jvm.fired().stream()).toList();
  }

  /**
   * Puts the run together.
   *
   * @param other another run to compare with
   */
  public ChaosReport report(Optional<RunReader> other) {
    List<JudgedFault> faults = judge(jvms, attempts());
    PointCounts counts = counts(jvms);
    List<ChaosReport.Leak> leaks = leaks();
    return new ChaosReport(
        ChaosReport.FORMAT_VERSION,
        directory.toString(),
        seeds(),
        faults.size(),
        FiredFault.digest(fired()),
        PointSummary.of(counts.armed(), counts, faults),
        rules(counts),
        PlannedKeys.notFired(plans(), fired()),
        leaks.stream().mapToLong(ChaosReport.Leak::bytes).sum(),
        reclaimedBytes(),
        leaks,
        jvms.stream().mapToInt(jvm -> jvm.totals().spillFilesLeft()).sum(),
        lost(),
        jvms.stream().map(RunReader::jvm).toList(),
        faults,
        other.map(this::difference).orElse(null));
  }

  /** Sums the counts of some JVMs. */
  public static PointCounts counts(Collection<JvmFiles> jvms) {
    return PointCounts.of(jvms.stream().map(JvmFiles::points).toList());
  }

  /**
   * Says of each fault what came of it, by the time at which it fired.
   *
   * @param attempts how the attempts of the application ended
   */
  public static List<JudgedFault> judge(Collection<JvmFiles> jvms, List<AttemptEnd> attempts) {
    FaultOutcomes outcomes = new FaultOutcomes(attempts);
    List<JudgedFault> judged = new ArrayList<>();
    for (JvmFiles jvm : jvms) {
      for (FiredFault fault : jvm.fired()) {
        judged.add(JudgedFault.of(fault, jvm.pid(), outcomes.of(fault, jvm.ended())));
      }
    }
    judged.sort(Comparator.comparing(JudgedFault::time).thenComparing(JudgedFault::key));
    return judged;
  }

  /** The agents' word on each attempt, and Spark's where there is an event log. */
  private List<AttemptEnd> attempts() {
    return merge(jvms.stream().flatMap(jvm -> jvm.attempts().stream()).toList(), events.attempts());
  }

  /**
   * Ends of attempts from both sides.
   *
   * @param agents as the agents told; they know faults and owners
   * @param spark as Spark told; it has the last word on how an attempt came out
   */
  public static List<AttemptEnd> merge(List<AttemptEnd> agents, List<AttemptEnd> spark) {
    Map<List<Integer>, AttemptEnd> byAttempt = new LinkedHashMap<>();
    spark.forEach(end -> byAttempt.put(identity(end), end));
    for (AttemptEnd end : agents) {
      byAttempt.merge(identity(end), end, (told, own) -> own.judgedBy(told));
    }
    return List.copyOf(byAttempt.values());
  }

  private static List<Integer> identity(AttemptEnd end) {
    return List.of(end.stageId(), end.stageAttempt(), end.partition(), end.attempt());
  }

  private List<Long> seeds() {
    return jvms.stream()
        .map(jvm -> jvm.points().path("seed").asLong())
        .distinct()
        .sorted()
        .toList();
  }

  private Set<String> plans() {
    return jvms.stream()
        .map(jvm -> jvm.totals().plan())
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<ChaosReport.Rule> rules(PointCounts counts) {
    return counts.byRule().entrySet().stream()
        .map(
            entry ->
                new ChaosReport.Rule(
                    entry.getKey(),
                    entry.getValue().point(),
                    entry.getValue().fault(),
                    entry.getValue().fired(),
                    entry.getValue().limited()))
        .toList();
  }

  private List<ChaosReport.Leak> leaks() {
    List<ChaosReport.Leak> leaks = new ArrayList<>();
    for (JvmFiles jvm : jvms) {
      for (AttemptEnd end : jvm.attempts()) {
        if (end.succeeded() && end.leftBytes() > 0) {
          leaks.add(
              new ChaosReport.Leak(
                  jvm.executor(), named(end), "Spark", end.leftBytes(), end.owners()));
        }
      }
      for (JvmFiles.NativeLedger ledger : jvm.totals().spillway()) {
        if (ledger.leakedBytes() > 0) {
          leaks.add(
              new ChaosReport.Leak(
                  jvm.executor(), "", "Spillway", ledger.leakedBytes(), ledger.owners()));
        }
      }
    }
    return leaks;
  }

  private long reclaimedBytes() {
    long bytes = 0;
    for (JvmFiles jvm : jvms) {
      for (AttemptEnd end : jvm.attempts()) {
        bytes += end.succeeded() ? 0 : end.leftBytes();
      }
      for (JvmFiles.NativeLedger ledger : jvm.totals().spillway()) {
        bytes += ledger.reclaimedBytes();
      }
    }
    return bytes;
  }

  private static String named(AttemptEnd end) {
    return "%sstage %d, partition %d, attempt %d"
        .formatted(
            end.label().isEmpty() ? "" : end.label() + ", ",
            end.stageId(),
            end.partition(),
            end.attempt());
  }

  /** Those that Spark told of, and JVMs that came to no orderly end and that it did not tell of. */
  private List<ExecutorLost> lost() {
    Map<String, ExecutorLost> lost = new LinkedHashMap<>();
    events.lost().forEach(one -> lost.put(one.executor(), one));
    for (JvmFiles jvm : jvms) {
      Optional<AttemptEnd> fatal = jvm.attempts().stream().filter(AttemptEnd::fatal).findFirst();
      if (fatal.isPresent() || !jvm.ended()) {
        lost.putIfAbsent(
            jvm.executor(),
            new ExecutorLost(
                jvm.executor(),
                null,
                fatal
                    .map(end -> "Spark ended it after " + end.failure())
                    .orElse("the JVM %d came to no orderly end".formatted(jvm.pid()))));
      }
    }
    return List.copyOf(lost.values());
  }

  private static ChaosReport.Jvm jvm(JvmFiles jvm) {
    long firstFaultMillis =
        jvm.fired().stream().mapToLong(FiredFault::timeMillis).min().orElse(Long.MAX_VALUE);
    JvmFiles.Totals totals = jvm.totals();
    return new ChaosReport.Jvm(
        jvm.pid(),
        jvm.executor(),
        totals.started(),
        totals.ended(),
        jvm.points().path("disarmed").asText(null),
        jvm.faultsMissing(),
        totals.attempts(),
        totals.failedAttempts(),
        totals.spillFilesLeft(),
        totals.spillFiles(),
        MemoryStory.of(jvm.samples(), firstFaultMillis));
  }

  private ChaosReport.Difference difference(RunReader other) {
    Set<String> here = keys(fired());
    Set<String> there = keys(other.fired());
    return new ChaosReport.Difference(
        other.directory.toString(),
        FiredFault.digest(other.fired()),
        here.stream().filter(key -> !there.contains(key)).toList(),
        there.stream().filter(key -> !here.contains(key)).toList());
  }

  private static Set<String> keys(List<FiredFault> fired) {
    return fired.stream().map(FiredFault::key).collect(Collectors.toCollection(TreeSet::new));
  }
}
