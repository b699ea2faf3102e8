package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the agent itself fails, the job goes on as without it, and the agent says so once. */
class NeverBreaksTheJobTest {
  private static final long SEED = 7;
  private static final String EVERY_BATCH =
      "{point: task.batch, fault: exception, when: {from: 1}, limits: {perTask: 9}}";
  private static SparkContext spark;

  @TempDir Path out;

  private final PrintStream console = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeAll
  static void startSpark() {
    spark = ChaosFixture.spark("local[2,4]");
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @AfterEach
  void disarm() {
    System.setErr(console);
    ChaosAgent.uninstall();
  }

  @Test
  void shouldFireNothingMoreWhenTheDiskOfTheFiredFileIsFull() throws IOException {
    long pid = ProcessHandle.current().pid();
    // Each write there fails as on a full disk.
    Files.createSymbolicLink(out.resolve("fired-" + pid + ".jsonl"), Path.of("/dev/full"));
    ChaosController chaos = ChaosFixture.arm(out, SEED, EVERY_BATCH);
    listen();
    assertThat(SeamJob.ofBatches(3).run(spark, 8)).allMatch(result -> result.attempt() == 0);
    assertThat(chaos.disarmed().orElseThrow()).contains("cannot be written", "No space left");
    assertThat(chaos.point(FaultPoint.TASK_BATCH).fired()).isZero();
    assertThat(chaos.rules()).allMatch(rule -> rule.fired() == 0);
    assertThat(complaints()).singleElement().asString().contains("everything is disarmed");
  }

  @Test
  void shouldGoOnFiringWhenTheDiskOfTheCountsIsFull() throws IOException {
    long pid = ProcessHandle.current().pid();
    ChaosController chaos = ChaosFixture.arm(out, SEED, EVERY_BATCH);
    Files.createSymbolicLink(out.resolve("points-" + pid + ".json.tmp"), Path.of("/dev/full"));
    listen();
    assertThat(SeamJob.ofBatches(3).run(spark, 8)).allMatch(result -> result.attempt() == 1);
    assertThat(chaos.disarmed()).isEmpty();
    assertThat(ChaosFixture.fired(chaos)).hasSize(8);
    assertThat(complaints()).singleElement().asString().contains("the counts cannot be written");
  }

  @ParameterizedTest(name = "{0} while deciding")
  @EnumSource(Trouble.class)
  void shouldPassEveryCallWhenDecidingFails(Trouble trouble) {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: memory.acquire, fault: {short-grant: {share: 0}}, when: {from: 1},"
                + " where: {operator: Any*}}");
    listen();
    List<Long> grants =
        JavaSparkContext.fromSparkContext(spark)
            .parallelize(List.of(1, 2, 3, 4), 4)
            .mapPartitions(rows -> acquire(trouble))
            .collect();
    assertThat(grants).containsExactly(4096L, 4096L, 4096L, 4096L);
    assertThat(chaos.disarmed().orElseThrow()).startsWith("deciding at memory.acquire failed: ");
    assertThat(chaos.point(FaultPoint.MEMORY_ACQUIRE).fired()).isZero();
    assertThat(complaints()).singleElement().asString().contains("everything is disarmed");
  }

  @Test
  void shouldSayBothOnceWhenTheJobsOwnSettingKeepsTheAgentFromKnowingItsTasks() {
    ChaosController chaos = ChaosFixture.arm(out, SEED, EVERY_BATCH);
    listen();
    assertThat(withWrongStageBase(8)).allMatch(result -> result.attempt() == 0);
    assertThat(chaos.disarmed().orElseThrow())
        .startsWith("deciding at task.batch failed: ")
        .contains("must be a stage id, not 'seven'");
    assertThat(complaints())
        .hasSize(2)
        .anyMatch(line -> line.contains("recording a task attempt failed: "))
        .anyMatch(line -> line.contains("everything is disarmed"));
  }

  @Test
  void shouldDisarmNothingWhenTheStartOfATaskCannotBeRecorded() {
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: spill.open, fault: disk-full, when: {nth: 1}}");
    listen();
    assertThat(withWrongStageBase(8)).allMatch(result -> result.attempt() == 0);
    assertThat(chaos.disarmed()).isEmpty();
    assertThat(chaos.heldAttempts()).isZero();
    assertThat(complaints()).singleElement().asString().contains("recording a task attempt failed");
  }

  @ParameterizedTest(name = "{0} while recording")
  @EnumSource
  void shouldDisarmNothingWhenTheEndOfATaskCannotBeRecorded(Trouble trouble) {
    ChaosController chaos = ChaosFixture.arm(out, SEED, EVERY_BATCH);
    listen();
    List<Long> grants =
        JavaSparkContext.fromSparkContext(spark)
            .parallelize(List.of(1, 2), 2)
            .mapPartitions(rows -> hoard(trouble))
            .collect();
    assertThat(grants).containsExactly(4096L, 4096L);
    assertThat(SeamJob.ofBatches(3).run(spark, 4)).allMatch(result -> result.attempt() == 1);
    assertThat(chaos.disarmed()).isEmpty();
    assertThat(ChaosFixture.fired(chaos)).hasSize(4);
    assertThat(complaints()).singleElement().asString().contains("recording a task attempt failed");
  }

  private static List<SeamJob.TaskResult> withWrongStageBase(int partitions) {
    spark.setLocalProperty("spillway.chaos.stageBase", "seven");
    try {
      return SeamJob.ofBatches(3).run(spark, partitions);
    } finally {
      spark.setLocalProperty("spillway.chaos.stageBase", null);
    }
  }

  /** Leaves memory behind, so that the end of its attempt is recorded with its owner. */
  private static Iterator<Long> hoard(Trouble trouble) {
    MemoryConsumer consumer = new Unspeakable(TaskContext.get().taskMemoryManager(), trouble);
    return List.of(consumer.acquireMemory(4096)).iterator();
  }

  private static Iterator<Long> acquire(Trouble trouble) {
    MemoryConsumer consumer = new Unspeakable(TaskContext.get().taskMemoryManager(), trouble);
    long granted = consumer.acquireMemory(4096);
    consumer.freeMemory(granted);
    return List.of(granted).iterator();
  }

  private void listen() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  private List<String> complaints() {
    return said.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("spillway-chaos: "))
        .toList();
  }

  /** What goes wrong inside the agent; an exception would only cost the operator its name. */
  enum Trouble {
    ASSERTION,
    STACK_OVERFLOW,
    OUT_OF_HEAP
  }

  /** A consumer that only the agent asks for its name. */
  public static final class Unspeakable extends MemoryConsumer {
    private final Trouble trouble;

    Unspeakable(TaskMemoryManager memory, Trouble trouble) {
      super(memory, 4096, MemoryMode.ON_HEAP);
      this.trouble = trouble;
    }

    @Override
    public long spill(long bytes, MemoryConsumer trigger) {
      return 0;
    }

    /** Fails. */
    @SuppressWarnings("InfiniteRecursion") // That is the trouble.
    public String name() {
      return switch (trouble) {
        case ASSERTION -> throw new AssertionError("no name");
        case STACK_OVERFLOW -> name() + ".";
        case OUT_OF_HEAP -> String.valueOf(new long[Integer.MAX_VALUE].length);
      };
    }
  }
}
