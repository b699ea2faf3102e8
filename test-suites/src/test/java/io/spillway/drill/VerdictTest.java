package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.report.ExecutorLost;
import io.spillway.report.PointSummary;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final List<PointSummary> FIRED = List.of(Reports.point(true, true, 3));

  @Test
  void shouldFindNothingWhenAllIsWell() {
    assertThat(Verdict.of(List.of(Reports.goodPass()), FIRED)).isEmpty();
  }

  @Test
  void shouldNameTheQueryWhenItsRowsDiffer() {
    var query = Reports.query("tpch-1", false, "5 rows where 4 were expected", 0);

    assertThat(reasons(Reports.pass(query, List.of(Reports.ledger(0, 0)))))
        .containsExactly(
            "pass 2 (Spillway, starved): tpch-1 differs: 5 rows where 4 were expected");
  }

  @Test
  void shouldNameTheOwnersWhenBytesAreLeft() {
    var query = Reports.query("tpch-1", true, null, 4096);
    var ledger = Reports.ledger(4096, 0, "task 12 / HashAggregate(partial) 4096 bytes in 1 block");

    assertThat(reasons(Reports.pass(query, List.of(ledger))))
        .containsExactly(
            "pass 2 (Spillway, starved): 4096 native bytes were left after tpch-1",
            "pass 2 (Spillway, starved): executor 0 ended with 4096 native bytes in use, owned by"
                + " task 12 / HashAggregate(partial) 4096 bytes in 1 block");
  }

  @Test
  void shouldFailWhenASuccessfulTaskLeaked() {
    var ledger = Reports.ledger(0, 512, "task 3 / Filter");

    assertThat(reasons(Reports.pass(Reports.query("q", true, null, 0), List.of(ledger))))
        .containsExactly(
            "pass 2 (Spillway, starved): executor 0 leaked 512 native bytes, owned by task 3 /"
                + " Filter");
  }

  @Test
  void shouldNameSomeOwnersWhenThereAreMany() {
    var ledger = Reports.ledger(0, 512, "a", "b", "c", "d", "e", "f", "g");

    assertThat(reasons(Reports.pass(Reports.query("q", true, null, 0), List.of(ledger))))
        .singleElement()
        .asString()
        .endsWith("owned by a; b; c; d; e; and 2 more");
  }

  @Test
  void shouldFailWhenALastLedgerIsMissing() {
    assertThat(reasons(Reports.pass(Reports.query("q", true, null, 0), List.of(), "1")))
        .containsExactly("pass 2 (Spillway, starved): executor 1 sent no last ledger");
  }

  @Test
  void shouldFailWhenAnExecutorWasLost() {
    var good = Reports.goodPass();
    var lost =
        new DrillReport.PassReport(
            good.number(),
            good.name(),
            good.title(),
            good.seconds(),
            good.queries(),
            good.ledgers(),
            List.of(),
            List.of(ExecutorLost.told("1", "exited with code 137")));

    assertThat(reasons(lost))
        .containsExactly("pass 2 (Spillway, starved): executor 1 was lost: exited with code 137");
  }

  @Test
  void shouldFailWhenAnArmedPointNeverFired() {
    var good = List.of(Reports.goodPass());

    assertThat(Verdict.of(good, List.of(Reports.point(true, true, 0))))
        .containsExactly("point native.alloc is armed and was reached 40 times but never fired");
    assertThat(Verdict.of(good, List.of(Reports.point(true, false, 0))))
        .containsExactly("point native.alloc is armed but no JVM carried it");
    assertThat(Verdict.of(good, List.of(Reports.point(false, false, 0)))).isEmpty();
  }

  private static List<String> reasons(DrillReport.PassReport pass) {
    return Verdict.of(List.of(pass), FIRED);
  }
}
