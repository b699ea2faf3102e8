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
                FaultPlan.Mode.FIRE,
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
            dryRun: true
            rules:
              - {point: spill.write, fault: disk-full, when: {every: 2}}
              - point: memory.acquire
                fault: {short-grant: {share: 0}}
                when: {from: 4}
                where:
                  {label: 'q*', stage: [0, 2], partition: 1, attempts: all, operator: "*Map",
                   application: nightly*, host: "rack1-*", executor: 3}
                limits: {perTask: 5}
              - {point: task.batch, fault: exception, when: {probability: 0.25}, where: {attempt: 2}}
              - {point: task.batch, fault: exception, when: {nth: 9}, where: {outsideTask: true, host: h}}
              - {point: task.end, fault: kill, when: {nth: 1}, where: {stage: 7}}
              - point: task.start
                fault: kill
                when: {afterSeconds: 60}
                limits: {perTask: 1, perMinute: 4, fromSeconds: 5, toSeconds: 600}
              - {point: task.start, fault: kill, when: {nth: 1}, limits: {fromSeconds: 5}}
              - {point: kernel.call, fault: {delay: {millis: 250}}, when: {every: 10}}
              - {point: spill.read, fault: error, when: {nth: 1}}
              - {point: spill.write, fault: short-write, when: {nth: 1}}
              - {point: spill.write, fault: flipped-byte, when: {nth: 1}}
              - {point: spill.read, fault: truncated-read, when: {nth: 1}}
              - {point: spill.open, fault: interrupt, when: {nth: 1}}
              - {point: shuffle.fetch, fault: fetch-failure, when: {nth: 1}}
              - {point: shuffle.fetch, fault: damaged-block, when: {nth: 1}}
              - {point: plugin.rpc, fault: lost, when: {nth: 1}}
              - {point: executor.exit, fault: halt, when: {nth: 1}}
              - {point: executor.exit, fault: halt, when: {nth: 1}, limits: {total: 3}}
              - point: native.alloc
                fault: out-of-memory
                when:
                  keys:
                    - {label: "q*: 1", stage: 0, partition: 3, attempt: 1, stageAttempt: 2, call: 9}
                    - {stage: -1, partition: 0, call: [1, 4]}
                    - {outsideTask: true, call: 2}
              - point: task.end
                fault: exception
                when: {keys: [{stage: 0, partition: 0, call: 1}]}
                limits: {perTask: 2, total: 3}
            """);
    assertThat(plan.mode()).isEqualTo(FaultPlan.Mode.DRY_RUN);
    assertThat(plan.rules().get(5).limits())
        .isEqualTo(new Limits(1, Long.MAX_VALUE, 4, new TimeWindow(5, 600)));
    // One executor of an application, unless the plan says otherwise.
    assertThat(plan.rules().get(16).limits()).isEqualTo(new Limits(1, 1));
    assertThat(plan.rules().get(17).limits()).isEqualTo(new Limits(1, 3));
    assertThat(plan.rules().get(18))
        .isEqualTo(
            new FaultRule(
                FaultPoint.NATIVE_ALLOC,
                new Fault.OutOfMemory(),
                new Trigger.Keys(
                    List.of(
                        new FaultKey("q*: 1", 0, 3, 1, 2, 9),
                        new FaultKey("", -1, 0, 0, 0, 1),
                        new FaultKey("", -1, 0, 0, 0, 4),
                        FaultKey.outsideTask(2))),
                Scope.ALL_ATTEMPTS,
                Limits.NONE));
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
            "unknown point 'native.aloc'; the points are memory.acquire, memory.page, native.alloc,"
                + " native.register, kernel.call, kernel.state, spill.open"),
        rule(
            "{point: task.batch, fault: disk-full, when: {nth: 1}}",
            "rule 1: the point task.batch cannot carry fault 'disk-full'; it can carry exception, kill,"
                + " delay, out-of-memory"),
        rule(
            "{point: task.batch, fault: explode, when: {nth: 1}}",
            "rule 1: the point task.batch knows no fault 'explode'; it can carry exception, kill,"
                + " delay, out-of-memory"),
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
        rule(
            "{point: kernel.call, fault: delay, when: {nth: 1}}",
            "the fault 'delay' of rule 1 needs its figures, as in {delay: {millis: 200}}"),
        rule(
            "{point: kernel.call, fault: {delay: {}}, when: {nth: 1}}",
            "delay of rule 1 has no 'millis'"),
        rule(
            "{point: kernel.call, fault: {delay: {millis: 60001}}, when: {nth: 1}}",
            "'millis' of delay of rule 1 must be a whole number from 1 to 60000, not '60001'"),
        rule(
            "{point: kernel.call, fault: kill, when: {nth: 1}}",
            "the point kernel.call cannot carry fault 'kill'; it can carry error, delay"),
        keys("[]", "'keys' of rule 1 must be a list with at least one key"),
        keys("[{partition: 0, call: 1}]", "a key of rule 1 has no 'stage'"),
        keys("[{stage: 0, call: 1}]", "a key of rule 1 has no 'partition'"),
        keys("[{stage: 0, partition: 0}]", "a key of rule 1 has no 'call'"),
        keys("[{stage: 0, partition: 0, call: 0}]", "must be a whole number of at least 1"),
        keys("[{stage: 0, partition: 0, call: []}]", "'call' of a key of rule 1 is an empty list"),
        keys("[{stage: 0, partition: 0, cal: 1}]", "a key of rule 1 has 'cal'"),
        keys(
            "[{outsideTask: true, partition: 0, call: 1}]",
            "a key of rule 1: outside a task there is no 'partition'"),
        keys(
            "[{stage: 0, partition: 0, call: 1}]}, where: {label: q",
            "rule 1 has 'where' beside 'keys': the keys say where"),
        rule("{point: task.batch, fault: exception}", "rule 1 has no 'when'"),
        rule("{point: task.batch, when: {nth: 1}}", "rule 1 has no 'fault'"),
        rule(
            "{point: task.batch, fault: exception, when: {}}",
            "'when' of rule 1 must have exactly one of nth, every, from, probability, afterSeconds"),
        rule(
            "{point: task.batch, fault: exception, when: {nth: 1, every: 2}}",
            "'when' of rule 1 must have exactly one of nth, every, from, probability, afterSeconds"),
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
        rule(BATCH + ", limits: {perMinute: 0}}", "must be a whole number of at least 1, not '0'"),
        rule(
            BATCH + ", limits: {fromSeconds: 5, toSeconds: 5}}",
            "'toSeconds' of 'limits' of rule 1 must be above 'fromSeconds', 5, and is 5"),
        rule(BATCH + ", limits: {fromSeconds: -1}}", "must be a whole number of at least 0"),
        plan("version: 1\ndryRun: 1\n", 2, "'dryRun' of the plan must be true or false, not '1'"),
        rule(BATCH + ", limits: {perJob: 1}}", "'limits' of rule 1 has 'perJob'"),
        plan(
            "version: 1\nrules:\n  - " + BATCH + "}\n  - {point: x}\n",
            4,
            "rule 2 has the unknown point 'x'"));
  }

  private static Arguments plan(String yaml, int line, String problem) {
    return Arguments.of(yaml, line, problem);
  }

  private static Arguments keys(String keys, String problem) {
    return rule("{point: task.batch, fault: exception, when: {keys: " + keys + "}}", problem);
  }

  private static Arguments rule(String rule, String problem) {
    return plan("version: 1\nrules:\n  - " + rule + "\n", 3, problem);
  }

  @Test
  void shouldRefuseTheFileWhenItIsMissingHugeOrNotText() throws IOException {
    Path missing = dir.resolve("missing.yaml");
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.parse(missing)))
        .hasMessage(missing + ": there is no such file; the plan is wanted there, as YAML");
    Path huge = Files.write(dir.resolve("huge.yaml"), new byte[2 << 20]);
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.parse(huge)))
        .hasMessage(huge + ": the plan has more than 1048576 bytes; 262144 characters are allowed");
    Path endless = Path.of("/dev/zero");
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.parse(endless)))
        .hasMessageStartingWith("/dev/zero: the plan has more than 1048576 bytes");
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
            () -> new Fault.Delay(0),
            () -> new Fault.Delay(60_001),
            () -> new Trigger.Nth(0),
            () -> new Trigger.Every(0),
            () -> new Trigger.From(0),
            () -> new Trigger.Probability(0),
            () -> new Trigger.Keys(List.of()),
            () -> new FaultKey("", 0, 0, 0, 0, 0),
            () -> new FaultKey("", 0, -2, 0, 0, 1),
            () -> new Limits(0, 1),
            () -> new Limits(1, 1, 0, TimeWindow.ALWAYS),
            () -> new TimeWindow(5, 5),
            () -> new TimeWindow(-1, 5),
            () -> new Trigger.AfterSeconds(0),
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
  void shouldRefuseAPlanThatIsNestedWithoutEnd() {
    String yaml = "[".repeat(200_000);
    PlanException e = catchThrowableOfType(PlanException.class, () -> FaultPlan.parse("p", yaml));
    assertThat(e).hasMessage("p: this is nested too deeply for a plan");
  }

  @Test
  void shouldConstructNothingWhenATagNamesAClass() {
    String yaml = "version: 1\nseed: !!java.net.URL ['http://127.0.0.1/']\nrules: []\n";
    PlanException e = catchThrowableOfType(PlanException.class, () -> FaultPlan.parse("p", yaml));
    assertThat(e).hasMessageStartingWith("p, line 2: 'seed' of the plan must be a whole number");
  }

  @Test
  void shouldRefuseAPlanThatGrowsByAliases() {
    String yaml = "version: 1\nrules: &a\n  - *a\n";
    PlanException e = catchThrowableOfType(PlanException.class, () -> FaultPlan.parse("p", yaml));
    assertThat(e.problem()).contains("rule 1 must be a mapping");
  }
}
