package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.ExecutorMemory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges whose tasks fail, are killed, starve, or lose what was written. */
class ExchangeFailureTest {
  private static final AtomicInteger FAILURES = new AtomicInteger();

  @TempDir Path folder;

  /** A value that fails the first attempt of each task in the middle of its rows. */
  private static final class FailsOnce implements UDF1<Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) {
      if (value % 1000 == 700 && TaskContext.get().attemptNumber() == 0) {
        FAILURES.incrementAndGet();
        throw new IllegalStateException("on purpose, value " + value);
      }
      return value;
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "select k, count(*) from (select fails_once(id) % 500 as k from range(0, 20000, 1, 3))"
            + " group by k",
        "select fails_once(k), c from (select id % 5000 as k, count(*) as c"
            + " from range(0, 20000, 1, 3) group by 1)"
      })
  void shouldGiveTheRightResultWhenTasksBeforeOrBehindItFailInTheMiddle(String sql) {
    try (TestSession session = TestSession.open(2, "8m", Map.of())) {
      session.spark().udf().register("fails_once", new FailsOnce(), DataTypes.LongType);
      FAILURES.set(0);

      List<Row> rows = session.spark().sql(sql).collectAsList();

      assertThat(FAILURES).as("failures injected").hasPositiveValue();
      assertThat(rows.stream().mapToLong(row -> row.getLong(1)).sum()).isEqualTo(20_000);
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldLeaveNothingWhenAQueryIsCancelledWhileItIsWritten() {
    try (TestSession session = TestSession.open(2, "16m", Map.of())) {
      SparkSession spark = session.spark();
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      CompletableFuture<Void> query =
          CompletableFuture.runAsync(
              () -> {
                spark.sparkContext().setJobGroup("to-be-cancelled", "a long exchange", false);
                spark
                    .sql(
                        "select k, count(*) from (select id % 15000000 as k from"
                            + " range(0, 30000000, 1, 2)) group by k")
                    .collectAsList();
              });
      Awaitility.await("an exchange holds memory")
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  memory.snapshot().owners().toString().contains("Exchange(write)")
                      && memory.snapshot().usedBytes() > 0);
      spark.sparkContext().cancelJobGroup("to-be-cancelled");
      assertThatThrownBy(query::get)
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("cancelled");
      session.assertNothingLeft();
    }
  }

  @ParameterizedTest(name = "{0} off-heap, {1} partitions, {2} tasks at once")
  @CsvSource({"1m, 200, 1", "1m, 64, 2", "4m, 300, 2"})
  void shouldMoveEveryRowWhenMemoryIsFarTooShort(String offHeap, int partitions, int cores) {
    try (TestSession session =
        TestSession.open(
            cores, offHeap, Map.of("spark.sql.shuffle.partitions", String.valueOf(partitions)))) {
      Row row =
          session
              .spark()
              .sql(
                  """
                  select count(*), sum(n), count(if(length(k) between 8 and 40, 1, null)) from (
                    select k, count(*) as n from (
                      select if(id % 3 = 0, concat('key ', 1000 + id),
                        concat('a longer key, number ', id)) as k
                      from range(0, 150000, 1, 3)) group by k)
                  """)
              .collectAsList()
              .get(0);
      assertThat(row.getLong(0)).isEqualTo(150_000);
      assertThat(row.getLong(1)).isEqualTo(150_000);
      assertThat(row.getLong(2)).isEqualTo(150_000);
      session.assertNothingLeft();
    }
  }

  /** Counts stages that were run again. */
  private static final class Resubmissions extends SparkListener {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      if (submitted.stageInfo().attemptNumber() > 0) {
        count.incrementAndGet();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"deleted", "damaged"})
  void shouldWriteItAgainWhenWhatWasWrittenIsGone(String how) throws IOException {
    try (TestSession session =
        TestSession.open(
            2,
            "16m",
            Map.of("spark.local.dir", folder.toString(), "spark.sql.adaptive.enabled", "false"))) {
      Resubmissions resubmissions = new Resubmissions();
      session.spark().sparkContext().addSparkListener(resubmissions);
      Dataset<Row> query =
          session
              .spark()
              .sql("select id % 3000 as k, count(*) as c from range(0, 30000, 1, 4) group by 1");
      JavaRDD<Long> counts = query.toJavaRDD().map(row -> row.getLong(1));
      assertThat(counts.reduce(Long::sum)).isEqualTo(30_000);
      assertThat(resubmissions.count).hasValue(0);

      int files = spoil(how.equals("deleted"));

      assertThat(files).as("shuffle files spoiled").isPositive();
      assertThat(counts.reduce(Long::sum)).isEqualTo(30_000);
      Awaitility.await("the listener hears of the stages")
          .untilAsserted(() -> assertThat(resubmissions.count).hasPositiveValue());
      session.assertNothingLeft();
    }
  }

  /** Spoils every shuffle file; answers how many. */
  private int spoil(boolean delete) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files =
          all.filter(file -> file.getFileName().toString().matches("shuffle_.*\\.data")).toList();
    }
    for (Path file : files) {
      if (delete) {
        Files.delete(file);
      } else {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          long middle = bytes.length() / 2;
          bytes.seek(middle);
          int old = bytes.read();
          bytes.seek(middle);
          bytes.write(old ^ 0x55);
        }
      }
    }
    return files.size();
  }
}
