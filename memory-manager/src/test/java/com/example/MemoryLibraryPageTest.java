package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.BlockOwner;
import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySettings;
import io.spillway.memory.MemorySnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What docs/memory-library.md shows: it is this package's code, it runs, and it says what stands
 * there.
 */
@Timeout(300)
class MemoryLibraryPageTest {
  private static final Path PAGE = Path.of("../docs/memory-library.md");
  private static final Path SOURCES = Path.of("src/test/java/com/example");
  private static final int PARTITIONS = 4;
  private static final long VALUES = 400_000;

  private JavaSparkContext spark;

  @BeforeEach
  void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("memory-library")
                .setMaster("local[2]")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.plugins", MemoryPlugin.class.getName())
                .set("spark.memory.offHeap.enabled", "true")
                .set("spark.memory.offHeap.size", "1m")
                .set(MemorySettings.ALLOCATION_SITES, "true"));
  }

  @AfterEach
  void stop() {
    spark.stop();
    assertThat(ExecutorMemory.installed()).isEmpty();
  }

  private JavaRDD<Long> values() {
    return spark
        .parallelize(LongStream.range(0, PARTITIONS).boxed().toList(), PARTITIONS)
        .flatMap(part -> LongStream.range(part * 100_000, (part + 1) * 100_000).iterator());
  }

  private static MemorySnapshot snapshotWhenIdle() {
    ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
    await("every task has ended").until(() -> memory.snapshot().openTasks() == 0);
    return memory.snapshot();
  }

  @ParameterizedTest
  @ValueSource(strings = {"MemoryPlugin", "ShareOfTotal", "Beside"})
  void shouldShowTheCodeThatIsRunHere(String source) throws IOException {
    String code = Files.readString(SOURCES.resolve(source + ".java"));

    assertThat(Files.readString(PAGE).contains("```java\n" + code + "```\n"))
        .as("docs/memory-library.md must hold %s.java of this package as it is", source)
        .isTrue();
  }

  @Test
  void shouldShowNoOtherCode() throws IOException {
    assertThat(Files.readString(PAGE).split("```java", -1)).hasSize(1 + 3);
  }

  @Test
  void shouldSpillAndBeRightWhenStateDoesNotFit() {
    double sum = values().mapPartitions(ShareOfTotal::of).mapToDouble(share -> share).sum();

    assertThat(sum).isBetween(PARTITIONS - 1e-9, PARTITIONS + 1e-9);
    MemorySnapshot snapshot = snapshotWhenIdle();
    assertThat(snapshot.spilledBytes()).as("800 kB of values each, 1 MiB for two").isPositive();
    assertThat(snapshot.usedBytes()).isZero();
    assertThat(snapshot.leakedBytes()).isZero();
  }

  @Test
  void shouldGiveSharesInTheOrderOfTheValuesWhenPartOfThemIsSpilled() {
    int values = 300_000;
    long total = LongStream.range(0, values).sum();

    List<Double> shares =
        spark
            .parallelize(List.of(0), 1)
            .flatMap(one -> LongStream.range(0, values).iterator())
            .mapPartitions(ShareOfTotal::of)
            .collect();

    assertThat(shares).hasSize(values);
    for (int i = 0; i < values; i++) {
      assertThat(shares.get(i)).isEqualTo((double) i / total);
    }
    assertThat(snapshotWhenIdle().spilledBytes())
        .as("some from disk, the rest from memory")
        .isBetween(1L, (long) values * Long.BYTES - 1);
  }

  @Test
  void shouldLeaveNothingWhenNotAllRowsAreTaken() {
    assertThat(values().mapPartitions(ShareOfTotal::of).take(3)).hasSize(3).startsWith(0.0);

    MemorySnapshot snapshot = snapshotWhenIdle();
    assertThat(snapshot.usedBytes()).isZero();
    assertThat(snapshot.leakedBytes()).isZero();
  }

  @Test
  void shouldKeepOnlyWhatTasksShareWhenTheyHaveEnded() {
    long squares =
        values().map(value -> value % 1000).mapPartitions(Beside::squares).reduce(Long::sum);

    assertThat(squares)
        .isEqualTo(VALUES / 1000 * LongStream.range(0, 1000).map(value -> value * value).sum());
    MemorySnapshot snapshot = snapshotWhenIdle();
    assertThat(snapshot.usedBytes()).isEqualTo(8192).isEqualTo(snapshot.sharedBytes());
  }

  @Test
  void shouldCountOnAHelperThread() {
    assertThat(values().mapPartitions(Beside::countOnAHelper).collect())
        .containsOnly(VALUES / PARTITIONS)
        .hasSize(PARTITIONS);
    assertThat(snapshotWhenIdle().usedBytes()).isZero();
  }

  @Test
  void shouldSayOfALeakWhatThePageShows() throws IOException {
    String page = Files.readString(PAGE).replaceAll("task \\d+", "task N");
    Lines lines = new Lines();
    Logger log = (Logger) LogManager.getLogger("io.spillway.memory.events");
    lines.start();
    log.addAppender(lines);
    try {
      assertThat(values().mapPartitions(Beside::forgetful).count()).isEqualTo(VALUES);
    } finally {
      log.removeAppender(lines);
    }

    MemorySnapshot snapshot = snapshotWhenIdle();
    assertThat(snapshot.usedBytes()).isZero();
    assertThat(snapshot.leakedBytes()).isEqualTo(PARTITIONS * 12288L);
    assertThat(lines.seen).hasSize(PARTITIONS);
    assertThat(page).contains(lines.seen.get(0).replaceAll("task \\d+", "task N"));
    BlockOwner leak = ExecutorMemory.installed().orElseThrow().leaks().get(0);
    assertThat(page).contains(leak.describe().replaceAll("task \\d+", "task N"));
    assertThat(page).contains("at com.example.Beside.forgetful(Beside.java:" + line(leak) + ")");
  }

  private static int line(BlockOwner leak) {
    for (StackTraceElement frame : leak.site().getStackTrace()) {
      if (frame.getMethodName().equals("forgetful")) {
        return frame.getLineNumber();
      }
    }
    throw new AssertionError("no frame of the method that leaked");
  }

  /** The lines of a log. */
  private static final class Lines extends AbstractAppender {
    final List<String> seen = new CopyOnWriteArrayList<>();

    Lines() {
      super("lines", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      seen.add(event.getMessage().getFormattedMessage());
    }
  }
}
