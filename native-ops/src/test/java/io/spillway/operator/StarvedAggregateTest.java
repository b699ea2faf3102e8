package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.PlanFigures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregations whose state is many times what their task may have. */
class StarvedAggregateTest {
  /** Every key k of n occurs twice, with values k and k + n, in a scattered order. */
  private static String twiceEach(long groups, int partitions) {
    return "select k, sum(v) as s, count(*) as c, min(v) as lo, max(v) as hi from"
        + " (select v, v %% %1$d as k from (select (id * 7919) %% %2$d as v from range(0, %2$d, 1, %3$d)))"
            .formatted(groups, 2 * groups, partitions)
        + " group by k";
  }

  private static String check(long groups, int partitions) {
    return "select count(*), count(if(c = 2 and s = 2 * k + %1$d and lo = k and hi = k + %1$d, 1,"
            .formatted(groups)
        + " null)), min(k), max(k) from ("
        + twiceEach(groups, partitions)
        + ")";
  }

  @Test
  void shouldSpillOnTheThreadThatReadsWhenThatIsNotTheTasks() {
    try (TestSession session = TestSession.open(1, "1m", Map.of())) {
      Dataset<Row> query = session.spark().sql(twiceEach(200_000, 1));
      JavaRDD<String> groups =
          query
              .toJavaRDD()
              .map(row -> row.getLong(0) + " " + row.getLong(1) + " " + row.getLong(2));

      long right =
          groups
              .pipe("cat")
              .filter(
                  line -> {
                    String[] group = line.split(" ", -1);
                    long sum = 2 * Long.parseLong(group[0]) + 200_000;
                    return Long.parseLong(group[1]) == sum && group[2].equals("2");
                  })
              .count();

      assertThat(right).isEqualTo(200_000);
      assertThat(ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes()).isPositive();
      session.assertNothingLeft();
    }
  }

  @ParameterizedTest(name = "{0} groups, {1} off-heap, {2} tasks at once")
  @CsvSource({
    "5000000, 64m, 1",
    "5000000, 1m, 1",
    "1000000, 4m, 2",
    "300000, 1m, 1",
  })
  void shouldGiveTheRightResultWhenTheStateDoesNotFit(long groups, String offHeap, int cores) {
    try (TestSession session = TestSession.open(cores, offHeap, Map.of())) {
      Dataset<Row> query = session.spark().sql(check(groups, cores));
      Row row = query.collectAsList().get(0);
      assertThat(row.getLong(0)).isEqualTo(groups);
      assertThat(row.getLong(1)).as("groups with the right values").isEqualTo(groups);
      assertThat(row.getLong(2)).isZero();
      assertThat(row.getLong(3)).isEqualTo(groups - 1);
      PlanFigures figures = PlanFigures.of(query.queryExecution().executedPlan());
      assertThat(figures.nativeOperators()).isGreaterThanOrEqualTo(4);
      assertThat(figures.spilledBytes()).as("bytes spilled").isPositive();
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldGiveTheRightResultWhenLongStringsDoNotFit() {
    try (TestSession session = TestSession.open(1, "2m", Map.of())) {
      Dataset<Row> query =
          session
              .spark()
              .sql(
                  """
                  select count(*), count(if(c = 2 and lo = lo_wanted and hi = hi_wanted, 1, null))
                  from (
                    select k, count(*) as c, min(v) as lo, max(v) as hi,
                      min(lo_wanted) as lo_wanted, max(hi_wanted) as hi_wanted from (
                        select concat('key number ', id % 100000) as k,
                          concat('value number ', id % 100000, if(id < 100000, '-a', '-b')) as v,
                          concat('value number ', id % 100000, '-a') as lo_wanted,
                          concat('value number ', id % 100000, '-b') as hi_wanted
                        from range(0, 200000, 1, 1)) group by k)
                  """);
      Row row = query.collectAsList().get(0);
      assertThat(row.getLong(0)).isEqualTo(100000);
      assertThat(row.getLong(1)).as("groups with the right values").isEqualTo(100000);
      PlanFigures figures = PlanFigures.of(query.queryExecution().executedPlan());
      assertThat(figures.nativeOperators()).isGreaterThanOrEqualTo(4);
      assertThat(figures.spilledBytes()).as("bytes spilled").isPositive();
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldGiveTheRightResultWhenRowsAreWide() {
    String columns =
        IntStream.range(0, 200)
            .mapToObj(i -> "id + %1$d as c%1$d".formatted(i))
            .collect(Collectors.joining(", "));
    String sums =
        IntStream.range(0, 200)
            .mapToObj(i -> "sum(c%d)".formatted(i))
            .collect(Collectors.joining(" + "));
    try (TestSession session = TestSession.open(1, "2m", Map.of())) {
      session.assertSameAsSpark(
          "select k, %s from (select id %% 50 as k, %s from range(20000)) where c7 > 100 group by k"
              .formatted(sums, columns));
    }
  }

  @Test
  void shouldLeaveNothingWhenAQueryIsCancelledInTheMiddle() {
    try (TestSession session = TestSession.open(2, "16m", Map.of())) {
      SparkSession spark = session.spark();
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      CompletableFuture<Void> query =
          CompletableFuture.runAsync(
              () -> {
                spark.sparkContext().setJobGroup("to-be-cancelled", "a long aggregation", false);
                // One partition, so that partial and final aggregation are at work in one task.
                spark.sql(check(20_000_000, 1)).collectAsList();
              });
      Awaitility.await("the aggregation has spilled and holds memory")
          .atMost(Duration.ofSeconds(60))
          .until(() -> memory.snapshot().usedBytes() > 0 && memory.snapshot().spilledBytes() > 0);
      spark.sparkContext().cancelJobGroup("to-be-cancelled");
      assertThatThrownBy(query::get)
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("cancelled");
      session.assertNothingLeft();
      assertThat(memory.snapshot().leakedBytes()).isZero();
    }
  }
}
