package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.memory.PageSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fired once is fired again, at the same keys and nowhere else. */
class ReplayTest {
  private static final long SEED = 7;
  private static final String LABEL =
      "q\"1*\\ \n\u00e9\ud83d\ude00 \u007f\u0085\u009f\u2028\ufeff\ufffe";

  @TempDir Path out;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldFireTheSameKeysWhenWhatFiredIsReplayed() throws Exception {
    SparkContext spark = ChaosFixture.spark("local[2,4]");
    try {
      ChaosController first =
          ChaosFixture.arm(
              out.resolve("1"),
              SEED,
              "{point: task.batch, fault: exception, when: {probability: 0.1}}",
              "{point: native.alloc, fault: out-of-memory, when: {probability: 0.3}, where:"
                  + " {attempts: all}, limits: {perTask: 9}}",
              "{point: native.alloc, fault: {delay: {millis: 1}}, when: {every: 4}}",
              "{point: native.alloc, fault: out-of-memory, when: {nth: 2}, where: {outsideTask:"
                  + " true}}");
      Set<String> fired = keys(run(spark, first));
      assertThat(fired)
          .anyMatch(key -> key.contains("task.batch"))
          .anyMatch(key -> key.contains("delay(millis=1)"))
          .anyMatch(key -> key.contains("/1/native.alloc"))
          .anyMatch(key -> key.contains("/-1/-1/"));

      FaultPlan replay = FaultPlan.replay(List.of(out.resolve("1")));
      assertThat(replay.seed()).isEqualTo(SEED);
      assertThat(FaultPlan.parse("written", replay.toYaml())).isEqualTo(replay);
      // Another seed: a replay asks the keys, not the hash.
      ChaosController second =
          ChaosAgent.arm(replay.withSeed(99), out.resolve("2"), ByteBuddyAgent.install());
      assertThat(keys(run(spark, second))).isEqualTo(fired);
      assertThat(second.rules()).allMatch(rule -> rule.fired() > 0 && rule.limited() == 0);
    } finally {
      spark.stop();
    }
  }

  private static List<JsonNode> run(SparkContext spark, ChaosController chaos) {
    spark.setLocalProperty("spillway.chaos.label", null);
    spark.setLocalProperty("spillway.chaos.stageBase", null);
    PageSource outside = new PageSource();
    for (int call = 0; call < 3; call++) {
      try {
        assertThat(outside.allocate(1)).isEqualTo(2);
      } catch (OutOfMemoryError e) {
        assertThat(e).hasMessageContaining("injected");
      }
    }
    // A probe, because stage ids go on counting within the context.
    int last = SeamJob.ofBatches(0).run(spark, 1).get(0).stageId();
    spark.setLocalProperty("spillway.chaos.label", LABEL);
    spark.setLocalProperty("spillway.chaos.stageBase", String.valueOf(last + 1));
    assertThat(SeamJob.ofBatches(6).run(spark, 8)).hasSize(8);
    ChaosAgent.uninstall();
    return ChaosFixture.fired(chaos);
  }

  /** All of the key but the rule's number, which a replay gives anew. */
  private static Set<String> keys(List<JsonNode> fired) {
    Set<String> keys = new TreeSet<>();
    for (JsonNode line : fired) {
      keys.add(
          "%s/%s/%s/%s/%s/%s/%s"
              .formatted(
                  line.get("label").asText(),
                  line.get("stage"),
                  line.get("partition"),
                  line.get("attempt"),
                  line.get("point").asText(),
                  line.get("call"),
                  line.get("fault").asText()));
    }
    return keys;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "not json|the fault must be a mapping with the keys seed, label",
        "{\"seed\":7|this is not YAML",
        "{\"seed\":7,\"stag\":1}|the fault has 'stag'",
        "{\"point\":\"task.batch\"}|the fault has no 'seed'",
        "{\"seed\":8,\"point\":\"task.batch\"}|seed 8 after lines with seed 7",
        "{\"seed\":7,\"point\":\"x\"}|unknown point 'x'; the points are memory.acquire",
        "{\"seed\":7,\"point\":\"task.batch\",\"fault\":\"boom\"}|'boom' is no fault",
        "{\"seed\":7,\"point\":\"task.end\",\"fault\":\"delay(millis=x)\"}|'delay(millis=x)' is no",
        "{\"seed\":7,\"point\":\"task.end\",\"fault\":\"kill(a=1)\"}|'kill(a=1)' is no fault",
        "{\"seed\":7,\"point\":\"task.end\",\"fault\":\"disk-full\"}|no fault that task.end can",
      })
  void shouldNameTheLineWhenItIsNotTheAgents(String line, String problem) throws Exception {
    String good =
        "{\"seed\":7,\"label\":\"\",\"stage\":0,\"partition\":1,\"attempt\":0,\"point\":"
            + "\"task.batch\",\"call\":2,\"rule\":1,\"fault\":\"exception\",\"stageId\":0,"
            + "\"stageAttempt\":0,\"taskAttemptId\":1,\"thread\":\"t\",\"time\":\"now\"}";
    Path file = out.resolve("fired.jsonl");
    Files.writeString(file, good + "\n\n" + line + "\n");
    PlanException e =
        catchThrowableOfType(PlanException.class, () -> FaultPlan.replay(List.of(file)));
    assertThat(e).hasMessageStartingWith(file + ", line ").hasMessageContaining(problem);
    // An open bracket is missed behind the end of its line.
    assertThat(e.line()).isBetween(3, 4);
    Files.writeString(file, good + "\n");
    assertThat(FaultPlan.replay(List.of(file)).rules())
        .extracting(FaultRule::when)
        .containsExactly(new Trigger.Keys(List.of(new FaultKey("", 0, 1, 0, 0, 2))));
  }

  @Test
  void shouldPassOverHalfALineWhenAJvmWasKilledWhileItWroteIt() throws Exception {
    String good =
        "{\"seed\":7,\"label\":\"\",\"stage\":0,\"partition\":1,\"attempt\":0,\"point\":"
            + "\"task.batch\",\"call\":2,\"rule\":1,\"fault\":\"exception\",\"stageId\":0,"
            + "\"stageAttempt\":0,\"taskAttemptId\":1,\"thread\":\"t\",\"time\":\"now\"}\n";
    Path file = out.resolve("fired.jsonl");
    // Cut within a character of two bytes.
    byte[] half = "{\"seed\":7,\"label\":\"\u00e9".getBytes(StandardCharsets.UTF_8);
    Files.writeString(file, good);
    Files.write(file, Arrays.copyOf(half, half.length - 1), StandardOpenOption.APPEND);
    assertThat(FaultPlan.replay(List.of(file)).rules()).hasSize(1);
  }

  @Test
  void shouldWriteTheCallsOfAnAttemptInOneKeyWhenItHasMany() {
    List<FaultKey> keys = new ArrayList<>();
    for (int call = 1; call <= 20_000; call++) {
      keys.add(new FaultKey("q", 0, call <= 10_000 ? 1 : 2, 0, 0, call));
    }
    keys.add(FaultKey.outsideTask(1));
    FaultRule rule =
        new FaultRule(
            FaultPoint.TASK_BATCH,
            new Fault.Delay(1),
            new Trigger.Keys(keys),
            Scope.ALL_ATTEMPTS,
            Limits.NONE);
    FaultPlan plan =
        new FaultPlan(SEED, Optional.empty(), Optional.empty(), FaultPlan.Mode.FIRE, List.of(rule));
    String yaml = plan.toYaml();
    // Longer than a plan by hand may be, and what an agent wrote is read all the same.
    assertThat(yaml.length()).isBetween(256 * 1024, 20_000 * 20);
    assertThat(FaultPlan.recorded("written", yaml)).isEqualTo(plan);
  }

  @Test
  void shouldRefuseWhenNothingFiredOrAFileIsMissing() {
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.replay(List.of(out))))
        .hasMessageContaining("nothing fired in 0 files");
    Path missing = out.resolve("missing.jsonl");
    assertThat(catchThrowableOfType(PlanException.class, () -> FaultPlan.replay(List.of(missing))))
        .hasMessage(missing + ": it cannot be read: NoSuchFileException");
  }
}
