package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.TaskMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorts whose rows are many times what their task may have. */
class StarvedSortTest {
  @TempDir Path folder;

  /** A file for each task: a scattered permutation, and what follows from each number of it. */
  private String write(SparkSession spark, long rows, int files) {
    String path = folder.resolve("numbers" + rows + "x" + files).toString();
    spark
        .sql(
            "select v, v * 3 as w, concat('the text of ', v) as t from (select (id * 7919) % %1$d as v"
                    .replace("%1$d", Long.toString(rows))
                + " from range(0, %d, 1, %d))".formatted(rows, files))
        .write()
        .parquet(path);
    return path;
  }

  /** Rows, sum of v, and rows that are wrong in themselves or not behind the one before. */
  private static FlatMapFunction<Iterator<Row>, Long> check(boolean byText) {
    return rows -> {
      long count = 0;
      long sum = 0;
      long wrong = 0;
      long last = Long.MAX_VALUE;
      String lastText = "";
      while (rows.hasNext()) {
        Row row = rows.next();
        long v = row.getLong(0);
        String text = row.getString(2);
        boolean behind = byText ? text.compareTo(lastText) > 0 : v < last;
        if (!behind || row.getLong(1) != 3 * v || !text.equals("the text of " + v)) {
          wrong++;
        }
        last = v;
        lastText = text;
        count++;
        sum += v;
      }
      return List.of(count, sum, wrong).iterator();
    };
  }

  private static long[] sums(Dataset<Row> query, boolean byText) {
    List<Long> parts = query.toJavaRDD().mapPartitions(check(byText)).collect();
    long[] sums = new long[3];
    for (int i = 0; i < parts.size(); i++) {
      sums[i % 3] += parts.get(i);
    }
    return sums;
  }

  @ParameterizedTest(
      name = "{0} rows, {1} off-heap, {2} tasks at once, by {3}, least times written")
  @CsvSource({
    "500000, 1m, 1, v desc, 1.5",
    "300000, 1m, 4, t, 1",
    "700000, 4m, 1, t, 1",
    "400000, 4m, 2, v desc, 1",
    "200000, 64m, 1, v desc, 0",
  })
  void shouldBeInOrderWhenTheRowsDoNotFit(
      long rows, String offHeap, int cores, String key, double leastTimesWritten) {
    try (TestSession session = TestSession.open(cores, offHeap, Map.of())) {
      SparkSession spark = session.spark();
      spark.read().parquet(write(spark, rows, cores)).createOrReplaceTempView("n");
      Dataset<Row> query = spark.sql("select * from n sort by " + key);

      long[] sums = sums(query, key.equals("t"));

      assertThat(sums[2]).as("rows that are wrong or out of order").isZero();
      assertThat(sums[0]).as("rows").isEqualTo(rows);
      assertThat(sums[1]).as("sum").isEqualTo(rows * (rows - 1) / 2);
      assertThat(query.queryExecution().executedPlan().toString()).contains("SpillwaySort");
      // A row takes 48 bytes beside its text, so this says that runs were merged in passes too.
      // What
      // is in memory when the input ends may stay there: all of it for a task that is the last one.
      assertThat(ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes())
          .as("bytes spilled")
          .isGreaterThanOrEqualTo(
              (long) (leastTimesWritten * rows * 60) - JavaUtils.byteStringAsBytes(offHeap));
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldBeInOrderWhenSomeRowsAreLargerThanAnyPage() {
    try (TestSession session = TestSession.open(1, "8m", Map.of())) {
      SparkSession spark = session.spark();
      String path = folder.resolve("large").toString();
      spark
          .sql(
              "select id, concat(id % 3, repeat('x', if(id % 100 = 7, 400000, 20)), id) as t from"
                  + " range(0, 4000, 1, 1)")
          .write()
          .option("parquet.enable.dictionary", "false")
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("l");
      Dataset<Row> query = spark.sql("select * from l sort by t");
      List<Long> out =
          query
              .toJavaRDD()
              .mapPartitions(
                  (FlatMapFunction<Iterator<Row>, Long>)
                      rows -> {
                        long count = 0;
                        long wrong = 0;
                        String last = "";
                        while (rows.hasNext()) {
                          Row row = rows.next();
                          long id = row.getLong(0);
                          String text = row.getString(1);
                          int length = id % 100 == 7 ? 400000 : 20;
                          String whole = id % 3 + "x".repeat(length) + id;
                          wrong += text.compareTo(last) > 0 && text.equals(whole) ? 0 : 1;
                          last = text;
                          count++;
                        }
                        return List.of(count, wrong).iterator();
                      })
              .collect();
      assertThat(out).containsExactly(4000L, 0L);
      assertThat(ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes())
          .as("bytes spilled")
          .isGreaterThan(25 * 400_000L);
      session.assertNothingLeft();
    }
  }

  @ParameterizedTest(name = "by {0}")
  @ValueSource(strings = {"v desc", "t"})
  void shouldGiveItsRowsUpWhenAnotherOperatorNeedsTheMemoryWhileItHandsThemOut(String key) {
    Map<String, String> settings = Map.of("spark.sql.adaptive.enabled", "false");
    try (TestSession session = TestSession.open(1, "4m", settings)) {
      SparkSession spark = session.spark();
      spark.read().parquet(write(spark, 20_000, 1)).createOrReplaceTempView("n");
      SparkPlan sort =
          spark
              .sql("select * from n sort by " + key)
              .queryExecution()
              .executedPlan()
              .children()
              .apply(0);
      assertThat(sort).isInstanceOf(NativeSortExec.class);
      boolean byText = key.equals("t");
      List<Long> out =
          sort.executeColumnar()
              .toJavaRDD()
              .mapPartitions(
                  (FlatMapFunction<Iterator<ColumnarBatch>, Long>)
                      batches -> readBesideAGreedyOperator(batches, byText))
              .collect();
      assertThat(out).containsExactly(20_000L, 20_000L * 19_999 / 2, 0L, 0L);
      session.assertNothingLeft();
    }
  }

  /** What {@link #check} gives, and what was spilled before the greedy one came. */
  private static Iterator<Long> readBesideAGreedyOperator(
      Iterator<ColumnarBatch> batches, boolean byText) throws Exception {
    ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
    TaskMemory task = memory.task(TaskContext.get());
    List<Row> rows = new ArrayList<>();
    long spilledBefore = -1;
    long spilled = -1;
    while (batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      if (rows.size() > 5_000 && spilledBefore < 0) {
        // The batch at hand is read only afterwards.
        spilledBefore = memory.snapshot().spilledBytes();
        OperatorMemory greedy = task.operator("greedy", null);
        greedy.allocate(3 << 20).close();
        greedy.close();
        spilled = memory.snapshot().spilledBytes();
      }
      for (int i = 0; i < batch.numRows(); i++) {
        rows.add(
            RowFactory.create(
                batch.column(0).getLong(i),
                batch.column(1).getLong(i),
                batch.column(2).getUTF8String(i).toString()));
      }
    }
    assertThat(spilled).as("bytes spilled").isPositive();
    List<Long> checked = new ArrayList<>();
    check(byText).call(rows.iterator()).forEachRemaining(checked::add);
    checked.add(spilledBefore);
    return checked.iterator();
  }

  @Test
  void shouldBeInOrderOrFailCleanlyWhateverIsLeftOfTheMemory() {
    Map<String, String> settings =
        Map.of(
            "spark.sql.adaptive.enabled",
            "false",
            "spark.spillway.memory.waitAttempts",
            "1",
            "spark.task.maxFailures",
            "1");
    try (TestSession session = TestSession.open(1, "4m", settings)) {
      SparkSession spark = session.spark();
      spark.read().parquet(write(spark, 20_000, 1)).createOrReplaceTempView("n");
      NativeSortExec sort =
          (NativeSortExec)
              spark
                  .sql("select * from n sort by t")
                  .queryExecution()
                  .executedPlan()
                  .children()
                  .apply(0);
      SortSpec spec = (SortSpec) sort.productElement(2);
      List<DataType> types = NativeUnaryExec.types(sort.output());
      OperatorMetrics metrics = sort.operatorMetrics();
      int right = 0;
      int refused = 0;
      for (int left = 128 << 10; left < 3 << 20; left += left / 2) {
        long hogged = (4L << 20) - left;
        List<Long> out =
            sort.child()
                .executeColumnar()
                .toJavaRDD()
                .mapPartitions(
                    (FlatMapFunction<Iterator<ColumnarBatch>, Long>)
                        batches -> sortBesideAHog(batches, spec, types, metrics, hogged))
                .collect();
        if (out.isEmpty()) {
          refused++;
        } else {
          assertThat(out).as("with %d bytes left", left).containsExactly(20_000L, 199_990_000L, 0L);
          right++;
        }
        session.assertNothingLeft();
      }
      System.out.println("StarvedSortTest: " + right + " right, " + refused + " refused");
      assertThat(right).as("sorts that came to an end").isGreaterThanOrEqualTo(3);
      assertThat(refused).as("sorts that were refused memory").isPositive();
    }
  }

  /** Nothing if the sort is refused memory. */
  private static Iterator<Long> sortBesideAHog(
      Iterator<ColumnarBatch> batches,
      SortSpec spec,
      List<DataType> types,
      OperatorMetrics metrics,
      long hoggedBytes)
      throws Exception {
    TaskMemory task = ExecutorMemory.installed().orElseThrow().task(TaskContext.get());
    List<Row> rows = new ArrayList<>();
    try (OperatorMemory hog = task.operator("hog", null)) {
      hog.allocate(hoggedBytes);
      SortIterator sorted =
          new SortIterator("Sort", batches, spec, types, types, metrics, storedRows -> {});
      while (sorted.hasNext()) {
        ColumnarBatch batch = sorted.next();
        for (int i = 0; i < batch.numRows(); i++) {
          rows.add(
              RowFactory.create(
                  batch.column(0).getLong(i),
                  batch.column(1).getLong(i),
                  batch.column(2).getUTF8String(i).toString()));
        }
      }
    } catch (SparkOutOfMemoryError e) {
      return Collections.emptyIterator();
    }
    return check(true).call(rows.iterator());
  }

  @Test
  void shouldLeaveNothingWhenAQueryIsCancelledInTheMiddle() {
    try (TestSession session = TestSession.open(2, "4m", Map.of())) {
      SparkSession spark = session.spark();
      spark.read().parquet(write(spark, 2_000_000, 2)).createOrReplaceTempView("n");
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      long before = memory.snapshot().spilledBytes();
      CompletableFuture<Void> query =
          CompletableFuture.runAsync(
              () -> {
                spark.sparkContext().setJobGroup("to-be-cancelled", "a long sort", false);
                sums(spark.sql("select * from n sort by t"), true);
              });
      Awaitility.await("the sort has spilled and holds memory")
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  query.isDone()
                      || (memory.snapshot().usedBytes() > 0
                          && memory.snapshot().spilledBytes() > before));
      spark.sparkContext().cancelJobGroup("to-be-cancelled");
      assertThatThrownBy(query::get)
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("cancelled");
      session.assertNothingLeft();
      assertThat(memory.snapshot().leakedBytes()).isZero();
    }
  }
}
