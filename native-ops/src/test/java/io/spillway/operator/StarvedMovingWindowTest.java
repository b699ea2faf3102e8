package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.ExecutorMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that move over partitions, and over frames, that are many times what a task may have. */
class StarvedMovingWindowTest {
  @TempDir Path folder;

  /** Sorted already, so that the window is what needs memory. */
  private void numbers(SparkSession spark, long rows) {
    String path = folder.resolve("n").toString();
    spark
        .sql(
            "select id as v, concat('text of row ', id) as t from range(0, %d, 1, 1)"
                .formatted(rows))
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("n");
  }

  @ParameterizedTest(
      name = "{0} rows, frames of {1} to both sides, {2} off-heap, least written {3}")
  @CsvSource({
    "120000, 40, 1m, 1.5",
    // The frames alone are more than all of the memory.
    "30000, 8000, 1m, 1.5",
    "100000, 300, 4m, 0.5",
    "30000, 300, 64m, 0"
  })
  void shouldBeRightWhenPartitionOrFramesDoNotFit(
      long rows, long side, String offHeap, double leastTimesWritten) {
    try (TestSession session = TestSession.open(1, offHeap, Map.of())) {
      SparkSession spark = session.spark();
      numbers(spark, rows);
      Dataset<Row> query =
          spark.sql(
              ("select v, t, lag(t, %1$d) over (order by v) as before, lead(t, %1$d, t) over (order"
                      + " by v) as after, sum(v) over (order by v rows between %1$d preceding and"
                      + " %1$d following) as around, count(*) over (order by v rows between unbounded"
                      + " preceding and %1$d following) as so_far from n")
                  .formatted(side));
      List<Long> out = query.toJavaRDD().mapPartitions(check(rows, side)).collect();

      assertThat(query.queryExecution().executedPlan().toString()).contains("SpillwayWindow");
      assertThat(out.get(0)).as("rows").isEqualTo(rows);
      assertThat(out.get(1)).as("rows that are wrong").isZero();
      assertThat(ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes())
          .as("bytes spilled")
          .isGreaterThanOrEqualTo((long) (leastTimesWritten * rows * 100));
      session.assertNothingLeft();
    }
  }

  private static FlatMapFunction<Iterator<Row>, Long> check(long all, long side) {
    return rows -> {
      long count = 0;
      long wrong = 0;
      while (rows.hasNext()) {
        Row row = rows.next();
        long v = row.getLong(0);
        long first = Math.max(0, v - side);
        long last = Math.min(all - 1, v + side);
        boolean right =
            v == count
                && row.getString(1).equals("text of row " + v)
                && (v < side
                    ? row.isNullAt(2)
                    : row.getString(2).equals("text of row " + (v - side)))
                && row.getString(3).equals("text of row " + (v + side < all ? v + side : v))
                && row.getLong(4) == (first + last) * (last - first + 1) / 2
                && row.getLong(5) == last + 1;
        wrong += right ? 0 : 1;
        count++;
      }
      return List.of(count, wrong).iterator();
    };
  }

  @Test
  void shouldEndAtOnceWhenItsTaskIsKilledInTheMiddleOfWideFrames() {
    try (TestSession session = TestSession.open(1, "64m", Map.of())) {
      SparkSession spark = session.spark();
      numbers(spark, 300_000);
      // The values of one batch of rows are half a minute of work.
      String frames =
          IntStream.range(0, 30)
              .mapToObj(
                  i ->
                      "sum(v) over (order by v rows between %d preceding and unbounded following) as s%d"
                          .formatted(i, i))
              .collect(Collectors.joining(", "));
      CompletableFuture<Void> job =
          CompletableFuture.runAsync(
              () -> {
                spark.sparkContext().setJobGroup("wide", "wide frames", true);
                spark.sql("select " + frames + " from n").toJavaRDD().foreach(row -> {});
              });
      AtomicLong last = new AtomicLong();
      Awaitility.await("the window has all rows and computes")
          .atMost(Duration.ofMinutes(3))
          .during(Duration.ofSeconds(2))
          .until(
              () -> {
                long used = ExecutorMemory.installed().orElseThrow().snapshot().usedBytes();
                return used == last.getAndSet(used) && used > 300_000L * 30;
              });
      spark.sparkContext().cancelJobGroup("wide");

      assertThatThrownBy(() -> job.get(60, TimeUnit.SECONDS)).hasMessageContaining("cancelled");
      session.assertNothingLeft();
    }
  }
}
