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

  private static Iterator<Long> acquire(Trouble trouble) {
    // A consumer's text is what the agent asks for its operator's name.
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

  /** What goes wrong inside the decision. */
  enum Trouble {
    EXCEPTION,
    ASSERTION,
    STACK_OVERFLOW,
    OUT_OF_HEAP
  }

  private static final class Unspeakable extends MemoryConsumer {
    private final Trouble trouble;

    Unspeakable(TaskMemoryManager memory, Trouble trouble) {
      super(memory, 4096, MemoryMode.ON_HEAP);
      this.trouble = trouble;
    }

    @Override
    public long spill(long bytes, MemoryConsumer trigger) {
      return 0;
    }

    @Override
    @SuppressWarnings("InfiniteRecursion") // That is the trouble.
    public String toString() {
      return switch (trouble) {
        case EXCEPTION -> throw new IllegalStateException("no name");
        case ASSERTION -> throw new AssertionError("no name");
        case STACK_OVERFLOW -> toString() + ".";
        case OUT_OF_HEAP -> String.valueOf(new long[Integer.MAX_VALUE].length);
      };
    }
  }
}
