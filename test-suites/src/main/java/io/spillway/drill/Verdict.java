package io.spillway.drill;

import io.spillway.report.ExecutorLost;
import io.spillway.report.PointSummary;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a drill's findings: one sentence for each thing, none when all is well. */
final class Verdict {
  private static final int NAMED_OWNERS = 5;

  private final List<String> reasons = new ArrayList<>();

  private Verdict() {}

  /** Judges passes and points. */
  static List<String> of(List<DrillReport.PassReport> passes, List<PointSummary> points) {
    Verdict verdict = new Verdict();
    passes.forEach(verdict::judge);
    points.forEach(verdict::judge);
    return List.copyOf(verdict.reasons);
  }

  private void judge(DrillReport.PassReport pass) {
    String where = "pass " + pass.number() + " (" + pass.title() + ")";
    for (DrillReport.Query query : pass.queries()) {
      if (!query.resultEqual()) {
        reasons.add(where + ": " + query.name() + " differs: " + query.difference());
      }
      if (query.bytesLeft() != 0) {
        reasons.add(
            where + ": " + query.bytesLeft() + " native bytes were left after " + query.name());
      }
    }
    for (ExecutorLost lost : pass.executorsLost()) {
      reasons.add(where + ": executor " + lost.executor() + " was lost: " + lost.reason());
    }
    for (PassOutcome.Ledger ledger : pass.ledgers()) {
      if (!ledger.isClean()) {
        reasons.add(where + ": " + left(ledger));
      }
    }
    for (String executor : pass.ledgersMissing()) {
      reasons.add(where + ": executor " + executor + " sent no last ledger");
    }
    boolean spillway = pass.number() > Pass.PLAIN.number();
    if (spillway && pass.queries().stream().allMatch(query -> query.nativeOperators() == 0)) {
      reasons.add(where + ": no native operator took part in any query");
    }
  }

  private void judge(PointSummary point) {
    if (!point.armed()) {
      return;
    }
    if (!point.instrumented()) {
      reasons.add("point " + point.name() + " is armed but no JVM carried it");
    } else if (point.fired() == 0) {
      reasons.add(
          "point "
              + point.name()
              + " is armed and was reached "
              + point.reached()
              + " times but never fired");
    }
  }

  private static String left(PassOutcome.Ledger ledger) {
    StringBuilder text = new StringBuilder("executor ").append(ledger.executor());
    if (ledger.usedBytes() != 0) {
      text.append(" ended with ").append(ledger.usedBytes()).append(" native bytes in use");
    }
    if (ledger.leakedBytes() != 0) {
      text.append(ledger.usedBytes() != 0 ? " and" : "")
          .append(" leaked ")
          .append(ledger.leakedBytes())
          .append(" native bytes");
    }
    return text.append(", owned by ").append(owners(ledger.owners())).toString();
  }

  /** A sentence names some owners; the reports have them all. */
  private static String owners(List<String> owners) {
    if (owners.isEmpty()) {
      return "nobody on record";
    }
    String some = String.join("; ", owners.subList(0, Math.min(owners.size(), NAMED_OWNERS)));
    int more = owners.size() - NAMED_OWNERS;
    return more > 0 ? some + "; and " + more + " more" : some;
  }
}
