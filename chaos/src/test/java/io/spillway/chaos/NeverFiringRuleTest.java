package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that could not fire whatever the job does: refused with their line, before arming. */
class NeverFiringRuleTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "task.start, fault: kill, when: {nth: 2}"
            + "|the point task.start is reached once in a task attempt: the call must be 1, not 2",
        "task.end, fault: kill, when: {every: 3}"
            + "|the point task.end is reached once in a task attempt: the call must be 1, not 3",
        "shuffle.write, fault: error, when: {from: 2}"
            + "|the point shuffle.write is reached once in a task attempt: the call must be 1",
        "task.end, fault: kill, when: {keys: [{stage: 0, partition: 0, call: [1, 4]}]}"
            + "|the point task.end is reached once in a task attempt: the call must be 1, not 4",
        "task.end, fault: kill, when: {keys: [{outsideTask: true, call: 1}]}"
            + "|the point task.end is never reached outside a task",
        "task.start, fault: kill, when: {nth: 1}, where: {outsideTask: true}"
            + "|the point task.start is never reached outside a task",
        "task.batch, fault: kill, when: {afterSeconds: 60}, limits: {toSeconds: 60}"
            + "|'toSeconds' must be above 'afterSeconds', 60, and is 60: it could never fire",
      })
  void shouldNameLineAndReasonWhenARuleCannotFire(String rule, String problem) {
    String yaml = "version: 1\nrules:\n  - {point: task.batch, fault: kill, when: {nth: 9}}\n  -\n";
    PlanException e = refusal(yaml + "    {point: " + rule + "}\n");
    assertThat(e.getMessage()).startsWith("plan, line 5: rule 2: " + problem);
  }

  @ParameterizedTest(name = "{0} before {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{when: {nth: 3}}|{when: {nth: 3}}",
        "{when: {nth: 3}}|{when: {nth: 3}, where: {partition: 1}}",
        "{when: {nth: 3}, where: {label: 'q*'}}|{when: {nth: 3}, where: {label: q1}}",
        "{when: {nth: 3}, where: {label: '*'}}|{when: {nth: 3}}",
        "{when: {nth: 3}, where: {stage: [0, 1]}}|{when: {nth: 3}, where: {stage: 1}}",
        "{when: {nth: 3}, where: {attempts: all}}|{when: {nth: 3}, where: {attempt: 2}}",
        "{when: {nth: 3}, where: {host: 'h*'}}|{when: {nth: 3}, where: {host: h1, executor: 1}}",
        "{when: {every: 2}, limits: {perTask: 3}}|{when: {nth: 6}}",
        "{when: {from: 4}, limits: {perTask: 3}}|{when: {nth: 6}}",
        "{when: {probability: 1}, limits: {perTask: 6}}|{when: {nth: 6}}",
        "{when: {from: 1}, limits: {perTask: MAX}}|{when: {probability: 0.5}}",
        "{when: {every: 2}, limits: {perTask: MAX}}|{when: {every: 4}}",
        "{when: {from: 3}, limits: {perTask: MAX}}|{when: {from: 5}}",
        "{when: {afterSeconds: 9}, limits: {perTask: MAX}}|{when: {afterSeconds: 10}}",
        "{when: {nth: 3}, limits: {fromSeconds: 1}}|{when: {nth: 3}, limits: {fromSeconds: 2}}",
        "{when: {nth: 3}}|{when: {keys: [{label: q, stage: 0, partition: 0, call: 3}]}}",
        "{when: {keys: [{stage: 0, partition: 0, call: [3, 4]}]}}"
            + "|{when: {keys: [{stage: 0, partition: 0, call: 4}]}}",
      })
  void shouldRefuseARuleThatAnEarlierOneLeavesNothing(String first, String second) {
    String yaml = twoRules(first, second);
    assertThat(refusal(yaml))
        .as(yaml)
        .isNotNull()
        .hasMessage(
            "plan, line 4: rule 2 can never fire: rule 1 on line 3 takes every call that it picks;"
                + " change their order or what they pick");
  }

  @ParameterizedTest(name = "{0} before {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{when: {nth: 3}}|{when: {nth: 4}}",
        "{when: {nth: 3}, where: {partition: 1}}|{when: {nth: 3}}",
        "{when: {nth: 3}, where: {label: q1}}|{when: {nth: 3}, where: {label: 'q*'}}",
        "{when: {nth: 3}, where: {operator: '*'}}|{when: {nth: 3}}",
        "{when: {nth: 3}, where: {host: '*'}}|{when: {nth: 3}}",
        "{when: {nth: 3}}|{when: {nth: 3}, where: {attempt: 1}}",
        "{when: {nth: 3}}|{when: {nth: 3}, where: {outsideTask: true}}",
        "{when: {nth: 3}, limits: {total: 5}}|{when: {nth: 3}}",
        "{when: {nth: 3}, limits: {perMinute: 5}}|{when: {nth: 3}}",
        "{when: {nth: 3}, limits: {fromSeconds: 5}}|{when: {nth: 3}}",
        "{when: {from: 1}}|{when: {from: 1}}",
        "{when: {every: 2}}|{when: {nth: 4}}",
        "{when: {every: 2}, limits: {perTask: MAX}}|{when: {every: 3}}",
        "{when: {probability: 0.9}, limits: {perTask: MAX}}|{when: {nth: 1}}",
        "{when: {afterSeconds: 9}, limits: {perTask: MAX}}|{when: {nth: 1}}",
        "{when: {nth: 3}}|{when: {keys: [{stage: 0, partition: 0, call: [3, 4]}]}}",
        "{when: {nth: 3}}|{when: {keys: [{stage: 0, partition: 0, attempt: 1, call: 3}]}}",
      })
  void shouldTakeARuleThatAnEarlierOneLeavesSomething(String first, String second) {
    assertThat(FaultPlan.parse("plan", twoRules(first, second)).rules()).hasSize(2);
  }

  @Test
  void shouldTakeEqualRulesWhenTheyAreForDifferentPoints() {
    String yaml = twoRules("{when: {nth: 1}}", "{when: {nth: 1}}");
    assertThat(FaultPlan.parse("plan", yaml.replaceFirst("task.batch", "task.start")).rules())
        .hasSize(2);
  }

  @Test
  void shouldRefuseThemWhenTheyAreMadeInTheProgramToo() {
    FaultRule rule =
        new FaultRule(
            FaultPoint.TASK_START,
            new Fault.Kill(),
            new Trigger.Nth(1),
            Scope.FIRST_ATTEMPTS,
            Limits.DEFAULT);
    assertThatThrownBy(
            () ->
                new FaultPlan(
                    1,
                    java.util.Optional.empty(),
                    java.util.Optional.empty(),
                    FaultPlan.Mode.FIRE,
                    List.of(rule, rule)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rule 2 can never fire: rule 1 takes every call that it picks");
    assertThatThrownBy(
            () ->
                new FaultRule(
                    FaultPoint.TASK_START,
                    new Fault.Kill(),
                    new Trigger.Nth(2),
                    Scope.FIRST_ATTEMPTS,
                    Limits.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reached once in a task attempt");
  }

  private static PlanException refusal(String yaml) {
    return catchThrowableOfType(PlanException.class, () -> FaultPlan.parse("plan", yaml));
  }

  private static String twoRules(String first, String second) {
    return "version: 1\nrules:\n  - " + rule(first) + "\n  - " + rule(second) + "\n";
  }

  private static String rule(String rest) {
    return "{point: task.batch, fault: kill, "
        + rest.substring(1).replace("MAX", Long.toString(Long.MAX_VALUE));
  }
}
