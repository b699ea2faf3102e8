package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators whose state lies on disk for the most part answer right. */
class StarvedAnswersTest {
  @TempDir private Path directory;

  private SparkSession spark;

  @BeforeEach
  void start() {
    spark =
        SparkSession.builder()
            .master("local[1]")
            .appName("starved")
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", true)
            .config("spark.memory.offHeap.size", "1m")
            .config("spark.local.dir", directory.toString())
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.autoBroadcastJoinThreshold", -1)
            .config("spark.ui.enabled", false)
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  @Test
  void shouldSortRightWhenRunsAreOnDisk() {
    int rows = 60_000;
    OperatorSweep.cacheNumbers(spark, rows);

    List<Row> answer =
        spilling("select k, concat('the row ', v) as t, v from numbers order by k desc");

    assertThat(answer).extracting(row -> row.getLong(0)).isEqualTo(countingDown(rows));
    assertThat(answer)
        .allMatch(row -> row.getLong(2) * 7919 % rows == row.getLong(0))
        .allMatch(row -> row.getString(1).equals("the row " + row.getLong(2)));
  }

  @Test
  void shouldAggregateRightWhenGroupsAreOnDisk() {
    int groups = 30_000;

    List<Row> answer =
        spilling(
            "select k, sum(v) as s, count(*) as c"
                + " from (select id as v, id % 30000 as k from range(0, 60000, 1, 2)) group by k");

    assertThat(answer).hasSize(groups).extracting(row -> row.getLong(0)).doesNotHaveDuplicates();
    // Each group has two numbers, which lie as far apart as there are groups.
    assertThat(answer)
        .allMatch(row -> row.getLong(1) == 2 * row.getLong(0) + groups && row.getLong(2) == 2);
  }

  @Test
  void shouldJoinRightWhenTheBuildSideIsOnDisk() {
    int rows = 6_000;

    List<Row> answer =
        spilling(
            "select /*+ shuffle_hash(y) */ x.v, y.w, x.k"
                + " from (select id as v, id % 3000 as k from range(0, 6000, 1, 2)) x"
                + " join (select id as w, id as k from range(0, 40000, 1, 2)) y on x.k = y.k");

    assertThat(answer).hasSize(rows).extracting(row -> row.getLong(0)).doesNotHaveDuplicates();
    assertThat(answer)
        .allMatch(row -> row.getLong(1) == row.getLong(0) % 3000)
        .allMatch(row -> row.getLong(2) == row.getLong(1));
  }

  /** The answer, for which native operators must have written state to disk. */
  private List<Row> spilling(String text) {
    ExecutorMemory executor = ExecutorMemory.installed().orElseThrow();
    long spilledBefore = executor.snapshot().spilledBytes();

    List<Row> answer = spark.sql(text).collectAsList();

    assertThat(executor.snapshot().spilledBytes()).as("spilled").isGreaterThan(spilledBefore);
    assertThat(executor.snapshot().usedBytes()).isZero();
    return answer;
  }

  private static List<Long> countingDown(long count) {
    return LongStream.range(0, count).map(i -> count - 1 - i).boxed().toList();
  }
}
