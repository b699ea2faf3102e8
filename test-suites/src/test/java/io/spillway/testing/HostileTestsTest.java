package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.TestExecutionResult.Status.FAILED;
import static org.junit.platform.engine.TestExecutionResult.Status.SUCCESSFUL;

import io.spillway.testing.LaunchedTests.Executed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that would pass for proof and are none, and sound ones that are hard to tell from them. */
class HostileTestsTest {
  private static final String OUT = "spillway.testing.out";
  private static final String REPLAY = "spillway.testing.replay";
  private static final String PATIENCE = "spillway.testing.patienceSeconds";
  private static final String TIME_LIMIT = "spillway.testing.timeoutSeconds";

  @TempDir static Path out;

  private static LaunchedTests tests;

  @BeforeAll
  static void launch() throws IOException {
    System.setProperty(OUT, out.toString());
    System.setProperty(PATIENCE, "2");
    Files.writeString(out.resolve("package.json"), "{\"name\": \"somebody else's\"}");
    Files.writeString(out.resolve("cut.json"), "{\"formatVersion\": 1, \"testCl");
    tests =
        LaunchedTests.of(
            List.of(
                HostileCases.Lies.class,
                HostileCases.Nothing.class,
                HostileCases.AnyThread.class,
                HostileCases.OtherMaster.class,
                HostileCases.NoSweepInherited.class,
                HostileCases.Sound.class,
                HostileCases.Ordered.class,
                HostileCases.FailsBefore.class));
  }

  @AfterAll
  static void forget() {
    List.of(OUT, PATIENCE, REPLAY, TIME_LIMIT).forEach(System::clearProperty);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "anArrayThatLooksLikeAnother | the result is wrong: no row like [[\"a\", \"b\"]]",
        "aNullThatLooksLikeText | the result is wrong: no row like [{null}]",
        "rowTwiceInThePlaceOfAnother | the result is wrong: no row like [1, 2.5]",
        "otherOrder | the result is wrong: row 0 is [0] where [8] was expected",
        "errorThatOnlySoundsInjected | the job failed with something other than the injected fault",
        "threadOfTheRunAfter | left behind by the next run: the thread left-later",
        "sessionThatIsGone | no Spark runs in this JVM at the end",
      })
  void shouldFailTheInvocationWhenTheRunOnlySeemsWell(String method, String message) {
    assertThat(tests.faultsOf(method))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.status()).isEqualTo(FAILED);
              assertThat(one.message()).contains(message);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "noRows | every result is empty, so that no fault could lose a row",
        "outOfMemory | the job failed without a fault: java.lang.OutOfMemoryError: of the test",
        "noMode | @FaultSweep has no mode",
        "negative | max must be at least 1",
        "sampleAboveMax | max=3 and sample=4",
        "rareThatIsNoPoint | names spill.open as rare, and not as a point",
        "faultThatNoPointCarries | none of its points can carry it: task.end [exception, kill",
        "pointThatCarriesNoFault | names the point task.end, which can carry none of its faults",
        "shareOfSeven | share",
        "noSeed | @ChaosTest has no seed",
        "noRules | needs a plan or rules",
        "rareRuleThatIsNone | names rule 2 as rare, and its plan has rules 1 to 1",
        "dryRun | is a dry run, in which nothing is injected",
        "both | has both @FaultSweep and @ChaosTest",
        "allowsAnyThread | allows threads whose names begin with nothing",
        "otherMaster | name it as master",
      })
  void shouldInjectNothingAndSayWhyWhenTheTestCouldProveNothing(String method, String message) {
    assertThat(tests.faultsOf(method)).isEmpty();
    assertThat(tests.of(method))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.status()).isEqualTo(FAILED);
              assertThat(one.message()).contains(message);
            });
  }

  @Test
  void shouldFailTheClassWhenItsAnnotationChangesNoSweep() {
    assertThat(tests.all())
        .anySatisfy(
            one ->
                assertThat(one.message())
                    .contains("it inherits none: put it on a method, or extend"));
    assertThat(tests.of("passes")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "nestedValues, 2",
    "settingsOfEachRun, 2",
    "failsWithAClassAboveTheRealOne, 2",
    "comparesNothing, 1",
    "manyRowsThatDifferInFloatsOnly, 1",
    "nestedClass, 1",
    "shouldSurviveEveryFault, 2"
  })
  void shouldPassWhenTheTestIsSound(String method, int faults) {
    assertThat(tests.of(method))
        .allSatisfy(one -> assertThat(one.status()).as("%s", one).isEqualTo(SUCCESSFUL));
    assertThat(tests.faultsOf(method)).hasSize(faults);
  }

  @Test
  void shouldSayThatNothingIsComparedWhenATestHasNoResult() {
    List<Executed> all = tests.of("comparesNothing");
    assertThat(all.get(all.size() - 1).name()).contains("1 fault of ", "no result compared");
    assertThat(tests.of("nestedValues"))
        .noneSatisfy(one -> assertThat(one.name()).contains("no result compared"));
  }

  @Test
  void shouldRunOtherTestsOfTheClassAsEver() {
    assertThat(tests.of("parameterisedBesideIt"))
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.status()).isEqualTo(SUCCESSFUL));
  }

  @Test
  void shouldGoOnWhenWhatComesBeforeOneInvocationFails() {
    assertThat(tests.of("before"))
        .extracting(Executed::status)
        .containsExactly(SUCCESSFUL, SUCCESSFUL, FAILED, SUCCESSFUL, SUCCESSFUL);
  }

  @Test
  void shouldLeaveForeignAndDamagedFilesOutOfThePage() throws IOException {
    assertThat(Files.readString(out.resolve("index.html")))
        .contains("HostileCases$Sound", "Not taken for reports: cut.json, package.json");
  }

  @Test
  void shouldEndARunAndSayWhereItWasWhenItHangs() {
    System.setProperty(TIME_LIMIT, "5");
    try {
      LaunchedTests hung = LaunchedTests.of(List.of(HostileCases.Hangs.class));
      assertThat(hung.faultsOf("testThatHangs"))
          .extracting(Executed::status)
          .containsExactly(FAILED, SUCCESSFUL);
      assertThat(hung.faultsOf("testThatHangs").get(0).message())
          .contains("had not ended after 5 s", "HostileCases.waitForEver")
          .doesNotContain("left behind");
      assertThat(hung.faultsOf("taskThatHangs"))
          .singleElement()
          .satisfies(
              one ->
                  assertThat(one.message())
                      .contains("had not ended after 5 s", "Executor task launch worker")
                      .contains("HostileCases.waitForEver"));
    } finally {
      System.clearProperty(TIME_LIMIT);
    }
  }

  @Test
  void shouldSayWhatNamesAreLikeWhenAReplayNamesNothing() {
    System.setProperty(REPLAY, "nonsense");
    try {
      assertThat(LaunchedTests.of(List.of(SweepCases.Remembered.class)).of("breaks"))
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.status()).isEqualTo(FAILED);
                assertThat(one.message())
                    .contains("names 'nonsense', which is none of this test's 3 faults")
                    .contains("such as 'task.end #1 ONE_SHOT exception s=0 p=0 a=0 seed=1'");
              });
    } finally {
      System.clearProperty(REPLAY);
    }
  }

  @Test
  void shouldKeepTestsApartWhenJunitRunsClassesInParallel() {
    LaunchedTests parallel =
        LaunchedTests.of(
            List.of(
                HostileCases.OneOfMany.class,
                HostileCases.AnotherOfMany.class,
                HostileCases.Bystander.class),
            "junit.jupiter.execution.parallel.enabled",
            "true",
            "junit.jupiter.execution.parallel.mode.default",
            "concurrent",
            "junit.jupiter.execution.parallel.config.strategy",
            "fixed",
            "junit.jupiter.execution.parallel.config.fixed.parallelism",
            "4");
    assertThat(parallel.all())
        .allSatisfy(one -> assertThat(one.status()).as("%s", one).isEqualTo(SUCCESSFUL));
    // Two counting runs with two faults and a verdict, a plan with one, a plain test, bystanders.
    assertThat(parallel.all()).hasSize(4 + 4 + 3 + 1 + 6);
  }
}
