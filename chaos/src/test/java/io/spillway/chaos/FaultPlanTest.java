package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultPlanTest {
  private static final String BATCH = "{point: task.batch, fault: exception, when: {nth: 1}";

  @TempDir Path dir;

  @Test
  void shouldReadTheExampleThatTheJarCarries() throws IOException {
    String yaml;
    try (InputStream in = FaultPlan.class.getResourceAsStream("example-plan.yaml")) {
      yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    FaultPlan plan = FaultPlan.parse("example", yaml);
    assertThat(plan)
        .isEqualTo(
            new FaultPlan(
                7,
                Optional.empty(),
                Optional.empty(),
                List.of(
                    new FaultRule(
                        FaultPoint.NATIVE_ALLOC,
                        new Fault.OutOfMemory(),
                        new Trigger.Nth(3),
                        new Scope(
                            Optional.empty(),
                            List.of(),
                            List.of(1),
                            OptionalInt.of(0),
                            Optional.empty(),
                            false),
                        new Limits(1, 20)),
                    new FaultRule(
                        FaultPoint.MEMORY_ACQUIRE,
                        new Fault.ShortGrant(0.5),
                        new Trigger.Probability(0.05),
                        Scope.FIRST_ATTEMPTS,
                        Limits.DEFAULT))));
  }

  @Test
  void shouldReadBackAnEqualPlanWhenItWasWrittenAsYaml() {
    FaultPlan plan =
        FaultPlan.parse(
            "plan",
            """
            version: 1
            seed: -3
            environment: "staging: eu"
            killSwitch: /tmp/no chaos
            rules:
              - {point: spill.write, fault: disk-full, when: {every: 2}}
              - point: memory.acquire
                fault: {short-grant: {share: 0}}
                when: {from: 4}
                where: {label: 'q*', stage: [0, 2], partition: 1, attempts: all, operator: "*Map"}
                limits: {perTask: 5}
              - {point: task.batch, fault: exception, when: {probability: 0.25}, where: {attempt: 2}}
              - {point: task.batch, fault: exception, when: {nth: 9}, where: {outsideTask: true}}
            """);
    assertThat(FaultPlan.parse("written", plan.toYaml())).isEqualTo(plan);
    FaultPlan reseeded = plan.withSeed(8);
    assertThat(reseeded.seed()).isEqualTo(8);
    assertThat(reseeded.rules()).isEqualTo(plan.rules());
    assertThat(FaultPlan.parse("written", reseeded.toYaml())).isEqualTo(reseeded);
  }

  @ParameterizedTest(name = "line {1}: {2}")
  @MethodSource("wrongPlans")
  void shouldNameLineAndProblemWhenThePlanIsWrong(String yaml, int line, String problem) {
    PlanException e =
        catchThrowableOfType(PlanException.class, () -> FaultPlan.parse("plan.yaml", yaml));
    assertThat(e).as("refusal of:%n%s", yaml).isNotNull();
    assertThat(e.problem()).contains(problem);
    assertThat(e.line()).isEqualTo(line);
    assertThat(e.getMessage()).startsWith("plan.yaml").doesNotContain("\n");
    if (line > 0) {
      assertThat(e.getMessage()).startsWith("plan.yaml, line " + line + ": ");
    }
  }

  static List<Arguments> wrongPlans() {
    return List.of(
        plan("", 0, "the plan is empty"),
        plan("- a\n", 1, "the plan must be a mapping with the keys version, seed"),
        plan("version: 1\nrules: [\n", 3, "this is not YAML"),
        plan("version: 1\nrules: []\n---\nversion: 1\n", 3, "this is not YAML"),
        plan("version: 2\nrules: []\n", 1, "'version' of the plan must be a whole number"),
        plan("seed: 1\nrules: []\n", 1, "the plan has no 'version'"),
        plan("version: 1\n", 1, "the plan has no 'rules'"),
        plan("version: 1\nrules: []\n", 2, "'rules' must be a list with at least one rule"),
        plan("version: 1\nsede: 3\n", 2, "the plan has 'sede'; the keys allowed are version, seed"),
        plan("version: 1\nseed: 1\nseed: 2\n", 3, "'seed' a second time (first on line 2)"),
        plan("version: 1\nseed: 1.5\n", 2, "'seed' of the plan must be a whole number"),
        plan("version: 1\nkillSwitch: here\n", 2, "must be an absolute path, not 'here'"),
        plan("version: 1\nenvironment: ''\n", 2, "'environment' of the plan must be a text"),
        rule(
            "{point: native.aloc, fault: out-of-memory, when: {nth: 1}}",
            "unknown point 'native.aloc'; the points are memory.acquire, native.alloc,"
                + " spill.write, task.batch"),
        rule(
            "{point: task.batch, fault: disk-full, when: {nth: 1}}",
            "rule 1: the point task.batch cannot carry fault 'disk-full'; it can carry exception"),
        rule(
            "{point: task.batch, fault: explode, when: {nth: 1}}",
            "rule 1: the point task.batch knows no fault 'explode'; it can carry exception"),
        rule(
            "{point: memory.acquire, fault: short-grant, when: {nth: 1}}",
            "the fault 'short-grant' of rule 1 needs its figures"),
        rule(
            "{point: memory.acquire, fault: {short-grant: {}}, when: {nth: 1}}",
            "short-grant of rule 1 has no 'share'"),
        rule(
            "{point: memory.acquire, fault: {short-grant: {share: 1}}, when: {nth: 1}}",
            "must be at least 0 and below 1, not 1.0"),
        rule(
            "{point: memory.acquire, fault: {short-grant: {share: .nan}}, when: {nth: 1}}",
            "'share' of short-grant of rule 1 must be a number"),
        rule(
            "{point: task.batch, fault: {exception: {a: 1}}, when: {nth: 1}}",
            "the fault 'exception' of rule 1 takes no figures"),
        rule("{point: task.batch, fault: exception}", "rule 1 has no 'when'"),
        rule("{point: task.batch, when: {nth: 1}}", "rule 1 has no 'fault'"),
        rule(
            "{point: task.batch, fault: exception, when: {}}",
            "'when' of rule 1 must have exactly one of nth, every, from, probability"),
        rule(
            "{point: task.batch, fault: exception, when: {nth: 1, every: 2}}",
            "'when' of rule 1 must have exactly one of nth, every, from, probability"),
        rule(
            "{point: task.batch, fault: exception, when: {nth: 0}}",
            "'nth' of 'when' of rule 1 must be a whole number of at least 1, not '0'"),
        rule(
            "{point: task.batch, fault: exception, when: {nth: 99999999999999999999}}",
            "must be a whole number of at least 1"),
        rule(
            "{point: task.batch, fault: exception, when: {probability: 0}}",
            "'probability' of rule 1 must be above 0 and at most 1, not 0.0"),
        rule(
            "{point: task.batch, fault: exception, when: {probability: 1.5}}",
            "'probability' of rule 1 must be above 0 and at most 1, not 1.5"),
        rule(BATCH + ", where: {partition: -1}}", "'partition' of 'where' of rule 1 must be"),
        rule(BATCH + ", where: {stage: []}}", "'stage' of 'where' of rule 1 is an empty list"),
        rule(BATCH + ", where: {attempts: some}}", "must be first or all, not 'some'"),
        rule(BATCH + ", where: {attempts: all, attempt: 1}}", "both 'attempt' and 'attempts'"),
        rule(BATCH + ", where: {outsideTask: yes}}", "must be true or false, not 'yes'"),
        rule(
            BATCH + ", where: {outsideTask: true, partition: 1}}",
            "'where' of rule 1: outside a task there is no 'partition'"),
        rule(
            "{point: native.alloc, fault: out-of-memory, when: {nth: 1}, where: {operator: x}}",
            "the point native.alloc does not know its operator"),
        rule(BATCH + ", limits: {perTask: 0}}", "must be a whole number of at least 1, not '0'"),
        rule(BATCH + ", limits: {perJob: 1}}", "'limits' of rule 1 has 'perJob'"),
        plan(
            "version: 1\nrules:\n  - " + BATCH + "}\n  - {point: x}\n",
            4,
            "rule 2 has the unknown point 'x'"));
  }

  private static Arguments plan(String yaml, int line, String problem) {
    return Arguments.of(yaml, line, problem);
  }

  private static Arguments rule(String rule, String problem) {
    return plan("version: 1\nrules:\n  - " + rule + "\n", 3, problem);
  }

  @Test
  void shouldRefuseTheFileWhenItIsMissingHugeOrNotText() throws IOException {
    Path missing = dir.resolve("missing.yaml");
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.parse(missing)))
        .hasMessage(missing + ": there is no such file; a YAML plan is wanted");
    Path huge = Files.write(dir.resolve("huge.yaml"), new byte[2 << 20]);
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.parse(huge)))
        .hasMessage(huge + ": the plan has 2097152 bytes; 262144 characters are allowed");
    Path binary = Files.write(dir.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.parse(binary)))
        .hasMessage(binary + ": the plan is not UTF-8 text");
  }

  @Test
  void shouldRefuseARuleMadeInCodeWhenItsFiguresOrItsFaultAreWrong() {
    List<ThrowingCallable> wrong =
        List.of(
            () -> new Fault.ShortGrant(1),
            () -> new Fault.ShortGrant(Double.NaN),
            () -> new Trigger.Nth(0),
            () -> new Trigger.Every(0),
            () -> new Trigger.From(0),
            () -> new Trigger.Probability(0),
            () -> new Limits(0, 1),
            () ->
                new FaultRule(
                    FaultPoint.MEMORY_ACQUIRE,
                    new Fault.DiskFull(),
                    new Trigger.Nth(1),
                    Scope.FIRST_ATTEMPTS,
                    Limits.DEFAULT));
    assertThat(wrong)
        .allSatisfy(made -> assertThatThrownBy(made).isInstanceOf(IllegalArgumentException.class));
  }

  @Test
  void shouldRefuseAPlanThatGrowsByAliases() {
    String yaml = "version: 1\nrules: &a\n  - *a\n";
    PlanException e = catchThrowableOfType(PlanException.class, () -> FaultPlan.parse("p", yaml));
    assertThat(e.problem()).contains("rule 1 must be a mapping");
  }
}
