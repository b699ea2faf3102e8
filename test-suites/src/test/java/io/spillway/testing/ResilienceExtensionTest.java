package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.TestExecutionResult.Status.ABORTED;
import static org.junit.platform.engine.TestExecutionResult.Status.FAILED;
import static org.junit.platform.engine.TestExecutionResult.Status.SUCCESSFUL;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.chaos.ChaosAgent;
import io.spillway.testing.LaunchedTests.Executed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The extension, run by a launcher of its own over tests that are sound and tests that are not. */
class ResilienceExtensionTest {
  private static final String OUT = "spillway.testing.out";
  private static final String REPLAY = "spillway.testing.replay";
  private static final String PATIENCE = "spillway.testing.patienceSeconds";

  @TempDir static Path out;

  private static LaunchedTests tests;

  @BeforeAll
  static void launch() {
    System.setProperty(OUT, out.toString());
    System.setProperty(PATIENCE, "3");
    tests =
        LaunchedTests.of(
            List.of(
                SweepCases.Sound.class, SweepCases.OnPlainSpark.class, SweepCases.Defects.class));
  }

  @AfterAll
  static void forget() {
    System.clearProperty(OUT);
    System.clearProperty(PATIENCE);
    System.clearProperty(REPLAY);
  }

  @Test
  void shouldFailEachCallOnceAndOnceForGoodWhenTheJobIsSound() {
    List<Executed> all = tests.of("everyCall");
    assertThat(all).allSatisfy(one -> assertThat(one.status()).isEqualTo(SUCCESSFUL));
    assertThat(all.get(0).name()).isEqualTo("without a fault");
    List<Executed> faults = tests.faultsOf("everyCall");
    assertThat(faults).extracting(Executed::name).doesNotHaveDuplicates();
    assertThat(faults)
        .extracting(Executed::name)
        .contains(
            "task.end #1 ONE_SHOT exception s=0 p=0 a=0 seed=1",
            "task.end #1 PERSISTENT exception s=2 p=0 a=0 seed=1",
            "native.alloc #1 ONE_SHOT out-of-memory s=0 p=0 a=0 seed=1");
    assertThat(all.get(all.size() - 1).name())
        .as("the verdict")
        .contains("8 faults of ", "drawn with seed 1")
        .contains("task retried", "failed clean");
  }

  @Test
  void shouldNotNeedARarePointWhenTheJobDoesNotComeThere() {
    assertThat(tests.faultsOf("rarePoint"))
        .hasSize(3)
        .allSatisfy(one -> assertThat(one.name()).startsWith("task.start #1 ONE_SHOT"));
    assertThat(tests.of("rarePoint"))
        .allSatisfy(one -> assertThat(one.status()).isEqualTo(SUCCESSFUL));
  }

  @Test
  void shouldRunAPlanOnceForEachSeed() {
    assertThat(tests.of("plan"))
        .extracting(Executed::name)
        .containsExactly("without a fault", "seed=5", "seed=6", "2 faults, 2 task retried");
    assertThat(tests.of("planOfTheClassPath"))
        .extracting(Executed::name)
        .containsExactly("without a fault", "seed=1", "1 fault, 1 task retried");
    assertThat(tests.of("plan")).allSatisfy(one -> assertThat(one.message()).isEmpty());
  }

  @Test
  void shouldSweepAJobWithoutSpillwayWhenItSaysWhatTheJobIs() {
    List<Executed> all = tests.of("shouldSurviveEveryFault");
    assertThat(all).allSatisfy(one -> assertThat(one.status()).as("%s", one).isEqualTo(SUCCESSFUL));
    assertThat(tests.faultsOf("shouldSurviveEveryFault"))
        .hasSize(6)
        .allSatisfy(one -> assertThat(one.name()).contains("ONE_SHOT").endsWith("seed=3"));
  }

  @ParameterizedTest
  @CsvSource({
    "wrongResult, the result is wrong: columns are",
    "wrongResultAfterwards, 'the next run, without a fault, has a wrong result'",
    "leftFile, left behind: the file",
    "leftDescriptor, left behind: open 1 times",
    "leftThread, left behind: the thread left-behind",
    "leftNativeMemory, left behind: 4096 bytes that successful tasks leaked",
    "otherError, the job failed with something other than the injected fault",
    "fatalError, for which Spark ends the executor",
    "otherMessage, does not say 'spark.memory.offHeap.size'",
    "assertionOfTheTest, an assertion of the test failed",
  })
  void shouldFailTheInvocationAndSayHowToRepeatItWhenTheTestHasADefect(
      String method, String message) {
    Executed fault = tests.faultsOf(method).get(0);
    assertThat(fault.status()).isEqualTo(FAILED);
    assertThat(fault.message())
        .contains(message)
        .contains("again: mvn test '-Dtest=io.spillway.testing.SweepCases$Defects#" + method + "'")
        .contains("'-Dspillway.testing.replay=" + fault.name() + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "unreached, the job never comes to [spill.open]",
    "unrepeatable, two runs without a fault came to other results",
    "endsTheJvm, a fault at executor.exit ends the JVM",
  })
  void shouldInjectNothingWhenTheTestCannotBeSwept(String method, String message) {
    assertThat(tests.faultsOf(method)).isEmpty();
    assertThat(tests.all())
        .filteredOn(one -> one.method().equals(method))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.status()).isEqualTo(FAILED);
              assertThat(one.message()).contains(message);
            });
  }

  @Test
  void shouldFailAtTheEndWhenARuleHasNeverFired() {
    List<Executed> all = tests.of("neverFires");
    assertThat(all).extracting(Executed::status).containsExactly(SUCCESSFUL, SUCCESSFUL, FAILED);
    assertThat(all.get(2).message()).contains("rule 2, at task.end, has fired under none");
  }

  @Test
  void shouldWriteAReportForEachClassAndOnePageOverAll() throws IOException {
    JsonNode report =
        new ObjectMapper()
            .readTree(out.resolve("io.spillway.testing.SweepCases$Sound.json").toFile());
    JsonNode sweep =
        StreamSupport.stream(report.get("sweeps").spliterator(), false)
            .filter(one -> one.get("method").asText().equals("everyCall"))
            .findFirst()
            .orElseThrow();
    assertThat(sweep.get("rows").asInt()).isEqualTo(7);
    assertThat(sweep.get("found").asInt()).isGreaterThan(8);
    assertThat(sweep.get("invocations")).hasSize(8);
    assertThat(sweep.get("points"))
        .anySatisfy(
            point -> {
              assertThat(point.get("point").asText()).isEqualTo("task.end");
              assertThat(point.get("reached").asInt()).isEqualTo(3);
              assertThat(point.get("fired").asInt()).isEqualTo(point.get("injected").asInt());
            });
    assertThat(Files.readString(out.resolve("index.html")))
        .contains("SweepCases$Sound", "SweepCases$OnPlainSpark", "task.end")
        .contains("left behind: the thread left-behind")
        .doesNotContain("<link", " src=", "@import", "url(");
  }

  @Test
  void shouldLeaveNoPlanArmedWhenTheClassesHaveEnded() {
    assertThat(ChaosAgent.current()).isEmpty();
  }

  @Test
  void shouldBeginWithWhatFailedLastTime() {
    SweepCases.Remembered.broken = true;
    LaunchedTests first = LaunchedTests.of(List.of(SweepCases.Remembered.class));
    String failed = "task.end #1 ONE_SHOT exception s=0 p=1 a=0 seed=1";
    assertThat(first.faultsOf("breaks"))
        .filteredOn(one -> one.status() == FAILED)
        .extracting(Executed::name)
        .containsExactly(failed);
    assertThat(first.faultsOf("breaks").get(0).name()).isNotEqualTo(failed);

    SweepCases.Remembered.broken = false;
    // In parallel the next fault must not be asked for before the last one has ended.
    LaunchedTests second =
        LaunchedTests.of(
            List.of(SweepCases.Remembered.class),
            "junit.jupiter.execution.parallel.enabled",
            "true",
            "junit.jupiter.execution.parallel.mode.default",
            "concurrent");
    assertThat(second.faultsOf("breaks").get(0).name()).isEqualTo(failed);
    assertThat(second.faultsOf("breaks")).hasSize(3);
    assertThat(second.all()).allSatisfy(one -> assertThat(one.status()).isEqualTo(SUCCESSFUL));
    assertThat(out.resolve("failed/io.spillway.testing.SweepCases$Remembered.breaks.txt"))
        .doesNotExist();

    System.setProperty(REPLAY, failed);
    try {
      assertThat(LaunchedTests.of(List.of(SweepCases.Remembered.class)).of("breaks"))
          .extracting(Executed::name)
          .containsExactly("without a fault", failed);
    } finally {
      System.clearProperty(REPLAY);
    }
    assertThat(first.all()).noneMatch(one -> one.status() == ABORTED);
  }
}
