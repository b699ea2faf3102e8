package io.spillway.chaos.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.chaos.FaultPlan;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArmedRuleTest {
  private static final long SEED = 7;
  private static final TaskKey FIRST = new TaskKey("q1", 2, 3, 0, 0, 12, 99);

  @ParameterizedTest(name = "{0} picks {1}")
  @CsvSource(
      delimiter = '|',
      value = {"{nth: 3}|3", "{every: 4}|4 8 12", "{from: 10}|10 11 12", "{probability: 1}|all"})
  void shouldPickTheCallsThatTheRuleNames(String when, String calls) {
    ArmedRule rule = rule("{point: task.batch, fault: exception, when: " + when + "}");
    List<Long> picked = picked(rule, FIRST, 12);
    List<Long> expected =
        calls.equals("all")
            ? LongStream.rangeClosed(1, 12).boxed().toList()
            : List.of(calls.split(" ", -1)).stream().map(Long::valueOf).toList();
    assertThat(picked).isEqualTo(expected);
  }

  @Test
  void shouldPickTheSameCallsWhenAnotherThreadAndOtherIdsAskAgain() throws Exception {
    String text = "{point: task.batch, fault: exception, when: {probability: 0.2}}";
    List<Long> here = picked(rule(text), FIRST, 200);
    TaskKey otherIds = new TaskKey("q1", 2, 3, 0, 0, 77, 4711);
    AtomicLong differing = new AtomicLong(-1);
    Thread thread =
        new Thread(
            () -> differing.set(picked(rule(text), otherIds, 200).equals(here) ? 0 : 1), "other");
    thread.start();
    thread.join();
    assertThat(differing).hasValue(0);
    assertThat(here).hasSizeBetween(20, 60);
  }

  @Test
  void shouldPickDifferentCallsWhenTwoRulesHaveTheSameProbability() {
    String text = "{point: task.batch, fault: exception, when: {probability: 0.2}}";
    FaultPlan plan = FaultPlan.parse("plan", "{version: 1, rules: [" + text + "," + text + "]}");
    List<Long> first = picked(new ArmedRule(1, plan.rules().get(0), () -> 0), FIRST, 200);
    List<Long> second = picked(new ArmedRule(2, plan.rules().get(1), () -> 0), FIRST, 200);
    assertThat(second).isNotEqualTo(first);
  }

  @Test
  void shouldConcernFirstAttemptsOnlyWhenTheRuleSaysNothing() {
    ArmedRule rule = rule("{point: task.batch, fault: exception, when: {nth: 1}}");
    assertThat(rule.concerns(FIRST)).isTrue();
    assertThat(rule.concerns(new TaskKey("q1", 2, 3, 1, 0, 12, 99))).isFalse();
    assertThat(rule.concerns(new TaskKey("q1", 2, 3, 0, 1, 12, 99))).isFalse();
    assertThat(rule.concerns(TaskKey.OUTSIDE)).isFalse();
  }

  @Test
  void shouldConcernEveryAttemptWhenTheRuleOpensThem() {
    ArmedRule rule =
        rule("{point: task.batch, fault: exception, when: {nth: 1}, where: {attempts: all}}");
    assertThat(rule.concerns(new TaskKey("q1", 2, 3, 2, 1, 12, 99))).isTrue();
    assertThat(rule.concerns(TaskKey.OUTSIDE)).isFalse();
  }

  @ParameterizedTest(name = "{0} concerns label q1, stage 2, partition 3: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{label: q1}|true",
        "{label: 'q*'}|true",
        "{label: 'q?'}|true",
        "{label: q}|false",
        "{label: 'q.'}|false",
        "{stage: 2}|true",
        "{stage: [1, 2]}|true",
        "{stage: 12}|false",
        "{partition: 3}|true",
        "{partition: [0, 1]}|false",
        "{attempt: 1}|false",
        "{attempt: 0}|true",
        "{outsideTask: true}|false",
      })
  void shouldConcernTheTasksThatTheRuleNames(String where, boolean concerned) {
    ArmedRule rule =
        rule("{point: task.batch, fault: exception, when: {nth: 1}, where: " + where + "}");
    assertThat(rule.concerns(FIRST)).isEqualTo(concerned);
  }

  @Test
  void shouldStopWhenALimitIsUsedUp() {
    ArmedRule rule =
        rule(
            "{point: task.batch, fault: exception, when: {from: 1}, limits: {perTask: 2, total:"
                + " 3}}");
    AtomicLong first = new AtomicLong();
    AtomicLong second = new AtomicLong();
    assertThat(List.of(rule.take(first), rule.take(first), rule.take(first)))
        .containsExactly(true, true, false);
    assertThat(List.of(rule.take(second), rule.take(second))).containsExactly(true, false);
    assertThat(rule.fired()).isEqualTo(3);
    assertThat(rule.limited()).isEqualTo(2);
  }

  @Test
  void shouldMatchTheOperatorByPattern() {
    ArmedRule rule =
        rule(
            "{point: task.batch, fault: exception, when: {nth: 1}, where: {operator:"
                + " 'HashAggregate(*)'}}");
    assertThat(rule.asksOperator()).isTrue();
    assertThat(rule.matchesOperator("HashAggregate(final)")).isTrue();
    assertThat(rule.matchesOperator("Sort")).isFalse();
    assertThat(rule.matchesOperator(null)).isFalse();
  }

  @Test
  void shouldPickNothingUntilTheTimeHasCome() {
    AtomicLong seconds = new AtomicLong();
    ArmedRule rule =
        rule("{point: task.batch, fault: exception, when: {afterSeconds: 30}}", seconds::get);
    seconds.set(29);
    assertThat(picked(rule, FIRST, 3)).isEmpty();
    seconds.set(30);
    assertThat(picked(rule, FIRST, 3)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void shouldStopForTheRestOfTheMinuteWhenItsFaultsAreUsedUp() {
    AtomicLong seconds = new AtomicLong();
    ArmedRule rule =
        rule(
            "{point: task.batch, fault: exception, when: {from: 1}, limits: {perTask: 99,"
                + " perMinute: 2}}",
            seconds::get);
    AtomicLong task = new AtomicLong();
    assertThat(List.of(rule.take(task), rule.take(task), rule.take(task)))
        .containsExactly(true, true, false);
    seconds.set(59);
    assertThat(rule.take(task)).isFalse();
    seconds.set(60);
    assertThat(List.of(rule.take(task), rule.take(task), rule.take(task)))
        .containsExactly(true, true, false);
    assertThat(rule.fired()).isEqualTo(4);
    assertThat(rule.limited()).isEqualTo(3);
  }

  @Test
  void shouldFireOnlyInsideItsWindow() {
    AtomicLong seconds = new AtomicLong();
    ArmedRule rule =
        rule(
            "{point: task.batch, fault: exception, when: {from: 1}, limits: {perTask: 1,"
                + " fromSeconds: 10, toSeconds: 20}}",
            seconds::get);
    AtomicLong task = new AtomicLong();
    seconds.set(9);
    assertThat(rule.take(task)).isFalse();
    seconds.set(20);
    assertThat(rule.take(task)).isFalse();
    seconds.set(10);
    // What the window refused has used up nothing.
    assertThat(rule.take(task)).isTrue();
    assertThat(rule.limited()).isEqualTo(2);
  }

  private static ArmedRule rule(String yaml) {
    return rule(yaml, () -> 0);
  }

  private static ArmedRule rule(String yaml, LongSupplier secondsArmed) {
    FaultPlan plan = FaultPlan.parse("plan", "{version: 1, rules: [" + yaml + "]}");
    return new ArmedRule(1, plan.rules().get(0), secondsArmed);
  }

  private static List<Long> picked(ArmedRule rule, TaskKey task, long calls) {
    long hash =
        DecisionHash.ofAttempt(
            SEED, task.label(), task.stageOrdinal(), task.partition(), task.attempt());
    return LongStream.rangeClosed(1, calls)
        .filter(call -> rule.picks(task, hash, call))
        .boxed()
        .toList();
  }
}
