package io.spillway.drill;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.report.AttemptEnd;
import io.spillway.report.FiredFault;
import io.spillway.report.Json;
import io.spillway.report.JudgedFault;
import io.spillway.report.JvmFiles;
import io.spillway.report.PointCounts;
import io.spillway.report.PointSummary;
import io.spillway.report.RunReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts together what the passes left behind. Used by one thread, passes in order. */
final class ReportAssembler {
  private final Map<Pass, DrillReport.PassReport> passes = new EnumMap<>(Pass.class);
  private final Map<String, ResultFile> expected = new LinkedHashMap<>();
  private List<JudgedFault> fired = List.of();
  private List<FiredFault> faults = List.of();
  private PointCounts counts = PointCounts.NONE;

  /** Reads and compares one pass's files. */
  void add(Pass pass, PassFiles files, double seconds) throws IOException {
    PassOutcome outcome = Json.read(files.outcome(), PassOutcome.class);
    if (pass.hasAgent()) {
      addFaults(files, outcome);
    }
    List<DrillReport.Query> queries = new ArrayList<>();
    for (DrillQuery query : DrillQueries.all()) {
      queries.add(query(pass, query, files, outcome));
    }
    passes.put(
        pass,
        new DrillReport.PassReport(
            pass.number(),
            pass.id(),
            pass.title(),
            seconds,
            queries,
            outcome.ledgers(),
            outcome.ledgersMissing(),
            outcome.executorsLost()));
  }

  private void addFaults(PassFiles files, PassOutcome outcome) throws IOException {
    List<JvmFiles> jvms = JvmFiles.readAll(files.chaos());
    List<AttemptEnd> told = jvms.stream().flatMap(jvm -> jvm.attempts().stream()).toList();
    faults = jvms.stream().flatMap(jvm -> jvm.fired().stream()).toList();
    counts = RunReader.counts(jvms);
    fired = RunReader.judge(jvms, RunReader.merge(told, outcome.attempts()));
  }

  private DrillReport.Query query(Pass pass, DrillQuery query, PassFiles files, PassOutcome outcome)
      throws IOException {
    PassOutcome.Query found =
        outcome.queries().stream()
            .filter(one -> one.name().equals(query.name()))
            .findFirst()
            .orElseThrow(
                () -> new IOException(files.outcome() + " lacks the query " + query.name()));
    Optional<String> difference =
        found.error() != null ? Optional.of(found.error()) : compare(pass, query, files);
    PassOutcome.Plan plan = found.plan();
    return new DrillReport.Query(
        query.name(),
        found.seconds(),
        difference.isEmpty(),
        difference.orElse(null),
        plan.nativeOperators(),
        plan.jvmOperators(),
        plan.transitions(),
        plan.spilledBytes(),
        plan.peakNativeBytes(),
        pass.hasAgent()
            ? faults.stream().filter(fault -> found.usedStage(fault.stageId())).count()
            : 0,
        tasksRetried(found, outcome.attempts()),
        found.bytesLeft());
  }

  private Optional<String> compare(Pass pass, DrillQuery query, PassFiles files)
      throws IOException {
    if (!Files.exists(files.result(query))) {
      return Optional.of("its rows were not written");
    }
    ResultFile actual = ResultFile.read(files.result(query));
    if (pass == Pass.PLAIN) {
      expected.put(query.name(), actual);
      return actual.rows().isEmpty() ? Optional.of("it gave no rows at all") : Optional.empty();
    }
    ResultFile plain = expected.get(query.name());
    return plain == null
        ? Optional.of("plain Spark gave nothing to compare with")
        : ResultComparison.difference(plain, actual, query.ordered());
  }

  /** The report, judged. */
  DrillReport report(
      DrillOptions options, String version, String startedAt, double seconds, String plan) {
    List<DrillReport.PassReport> all = List.copyOf(passes.values());
    List<PointSummary> points = PointSummary.of(armed(options.plan().rules()), counts, fired);
    List<String> reasons = Verdict.of(all, points);
    return new DrillReport(
        reasons.isEmpty(),
        reasons,
        version,
        startedAt,
        seconds,
        options.seed(),
        options.scale().toPlainString(),
        options.memoryBytes(),
        options.master().url(),
        all,
        all.stream()
            .flatMap(pass -> pass.ledgers().stream())
            .mapToLong(ledger -> ledger.usedBytes() + ledger.leakedBytes())
            .sum(),
        all.stream().mapToInt(pass -> pass.executorsLost().size()).sum(),
        points,
        rulesNeverFired(options.plan().rules()),
        FiredFault.digest(faults),
        fired,
        plan);
  }

  /** The points that the plan names, in the catalogue's order. */
  private static List<String> armed(List<FaultRule> rules) {
    return Arrays.stream(FaultPoint.values())
        .filter(point -> rules.stream().anyMatch(rule -> rule.point() == point))
        .map(FaultPoint::id)
        .toList();
  }

  /** Rules are counted from 1, as in the agent's own files. */
  private List<String> rulesNeverFired(List<FaultRule> rules) {
    List<String> never = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      int number = i + 1;
      if (faults.stream().noneMatch(fault -> fault.rule() == number)) {
        FaultRule rule = rules.get(i);
        never.add("rule " + number + " (" + rule.point() + ", " + rule.fault().describe() + ")");
      }
    }
    return never;
  }

  /** Tasks of a query that needed more than one attempt. */
  static long tasksRetried(PassOutcome.Query query, List<AttemptEnd> attempts) {
    return attempts.stream()
        .filter(attempt -> query.usedStage(attempt.stageId()) && attempt.attempt() > 0)
        .map(attempt -> List.of(attempt.stageId(), attempt.partition()))
        .distinct()
        .count();
  }
}
