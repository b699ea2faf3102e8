package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exchanges in turn ({@code repartition(n)}): the rows are Spark's to the last bit, and so is how
 * many of them each partition gets. A seed names a table and its queries; {@code
 * -Dspillway.sql.seed=N} runs that seed alone.
 */
class InTurnExchangeTest {
  private static final String SORTS = "spark.sql.execution.sortBeforeRepartition";
  private static final String AQE = "spark.sql.adaptive.enabled";
  private static final int SEEDS = 4;

  /** With few values, so that many rows are equal, and with what is special among them. */
  private static final String[] COLUMNS = {
    "id",
    "if(id % 7 = 0, null, id % 2 = 0) as bool",
    "cast(if(id % 5 = 0, null, id % 3 - 1) as tinyint) as i8",
    "cast(if(id % 6 = 0, null, id % 40 * 999) as smallint) as i16",
    "cast(if(id % 8 = 0, null, id % 50 * 7919) as int) as i32",
    "if(id % 9 = 0, null, id % 30 * 1234567891011) as i64",
    "cast(case id % 6 when 0 then 'NaN' when 1 then '-0.0' when 2 then '0.0' when 3 then null"
        + " else '1.5' end as float) as f32",
    "case id % 7 when 0 then double('NaN') when 1 then -0.0D when 2 then 0.0D when 3 then null"
        + " when 4 then double('-Infinity') else 0.1D * (id % 3) end as f64",
    "cast(if(id % 14 = 0, null, id % 20 / 100.0) as decimal(12, 2)) as short_decimal",
    "cast(if(id % 15 = 0, null, id % 9 * -12345678901234567.89) as decimal(38, 5)) as long_decimal",
    "if(id % 16 = 0, null, concat('s', id % 10)) as short_text",
    "if(id % 17 = 0, null, repeat('text that is long ', cast(id % 9 as int))) as long_text",
    "if(id % 18 = 0, null, cast(concat('b', id % 4) as binary)) as bytes",
    "if(id % 19 = 0, null, date_add(date'1970-01-01', cast(id % 30 as int))) as day",
    "if(id % 20 = 0, null, timestamp_micros(id % 25 * 1000003)) as instant",
    "cast(null as string) as nothing",
  };

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    // A scan of many small files has a task for each.
    session = TestSession.open(2, "32m", Map.of("spark.sql.files.openCostInBytes", "200m"));
  }

  @AfterAll
  static void close() {
    session.close();
  }

  static LongStream seeds() {
    Long only = Long.getLong("spillway.sql.seed");
    return only != null ? LongStream.of(only) : LongStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void shouldMoveSparksRowsAndFillPartitionsAsSparkDoesWhenColumnsAreRandom(long seed) {
    Random random = new Random(seed);
    List<String> columns = new ArrayList<>();
    for (String column : COLUMNS) {
      if (random.nextBoolean()) {
        columns.add(column);
      }
    }
    columns.add("id % 3 as kept");
    int rows = 1 + random.nextInt(3_000);
    int files = 1 + random.nextInt(4);
    int partitions = 2 + random.nextInt(20);
    String aqe = String.valueOf(random.nextBoolean());
    System.out.printf(
        "InTurnExchangeTest: seed %d: %d rows of %s, %d files, %d partitions, AQE %s%n",
        seed, rows, columns, files, partitions, aqe);
    table(
        "seed_" + seed,
        "select %s from range(0, %d, 1, %d)".formatted(String.join(", ", columns), rows, files));
    with(
        AQE,
        aqe,
        () ->
            assertLikeSpark(
                "select /*+ repartition(%d) */ * from seed_%d where kept < 2"
                    .formatted(partitions, seed)));
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldBeBalancedWithinOneRowForEachMapTaskWhenAllRowsAreEqual(String aqe) {
    for (int m = 0; m < 3; m++) {
      int rows = new int[] {2_000, 99, 3}[m];
      session
          .spark()
          .sql(
              "select %d as m, 'the same in each row' as t, double('NaN') as d from range(0, %d, 1, 1)"
                  .formatted(m, rows))
          .write()
          .mode(m == 0 ? "overwrite" : "append")
          .parquet(folder.resolve("same").toString());
    }
    session
        .spark()
        .read()
        .parquet(folder.resolve("same").toString())
        .createOrReplaceTempView("same");
    with(
        AQE,
        aqe,
        () -> {
          String sql = "select /*+ repartition(7) */ * from same where m >= 0";
          assertLikeSpark(sql);
          List<Row> counts =
              session
                  .spark()
                  .sql(
                      "select m, p, count(*) from (select m, spark_partition_id() as p from ("
                          + sql
                          + ")) group by m, p")
                  .collectAsList();
          for (int m = 0; m < 3; m++) {
            int rows = new int[] {2_000, 99, 3}[m];
            int mapTask = m;
            List<Long> ofTask =
                counts.stream()
                    .filter(row -> row.getInt(0) == mapTask)
                    .map(row -> row.getLong(2))
                    .toList();
            assertThat(ofTask).as("partitions that task %d fills", m).hasSize(Math.min(7, rows));
            assertThat(ofTask)
                .as("rows of task %d in each partition", m)
                .allMatch(count -> count == rows / 7 || count == rows / 7 + 1);
            assertThat(ofTask.stream().mapToLong(count -> count).sum()).isEqualTo(rows);
          }
        });
  }

  @Test
  void shouldFillManyPartitionsWhenEachTaskHasOneRow() {
    String path = folder.resolve("single_rows").toString();
    session.spark().sql("select id from range(0, 12, 1, 12)").write().parquet(path);
    session.spark().read().parquet(path).createOrReplaceTempView("single_rows");

    Map<Integer, Long> counts =
        assertLikeSpark("select /*+ repartition(8) */ * from single_rows where id >= 0");

    assertThat(counts).as("rows of 12 tasks by partition").hasSizeGreaterThan(3);
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldMoveRowsWithoutColumnsWhenOnlyTheirNumberIsAskedFor(String aqe) {
    table("counted", "select id, concat('t', id) as t from range(0, 3000, 1, 3)");
    with(
        AQE,
        aqe,
        () -> {
          String sql =
              "select count(*) from (select /*+ repartition(4) */ * from counted"
                  + " where id > 10)";
          Dataset<Row> query = session.assertSameAsSpark(sql);
          assertThat(query.queryExecution().executedPlan().toString())
              .contains("SpillwayExchange RoundRobinPartitioning(4)");
        });
  }

  @Test
  void shouldMoveSparksRowsWhenTheSortIsTurnedOff() {
    table("unsorted", "select id, concat('t', id % 10) as t from range(0, 3000, 1, 3)");
    with(
        SORTS,
        "false",
        () -> assertLikeSpark("select /*+ repartition(5) */ * from unsorted where id > 10"));
  }

  @ParameterizedTest(name = "sorts {0}, of scanned rows {1}, of shuffled ones {2}")
  @CsvSource({"true, DETERMINATE, UNORDERED", "false, DETERMINATE, INDETERMINATE"})
  void shouldTellSparkWhatARunAgainMayChangeAsSparksOwnDoes(
      String sorts, String scanned, String shuffled) {
    table("levels", "select id, id % 100 as k from range(0, 1000, 1, 2)");
    with(
        AQE,
        "false",
        () ->
            with(
                SORTS,
                sorts,
                () -> {
                  assertThat(
                          level(
                              "select k, count(*) from (select /*+ repartition(4) */ * from levels"
                                  + " where id > 3) group by k, id"))
                      .isEqualTo(scanned);
                  assertThat(
                          level(
                              "select c, max(k) from (select /*+ repartition(4) */ * from"
                                  + " (select k, count(*) as c from levels group by k)) group by c"))
                      .isEqualTo(shuffled);
                }));
  }

  private static String level(String sql) {
    return exchangeInTurn(session.spark().sql(sql))
        .shuffleDependency()
        .rdd()
        .outputDeterministicLevel()
        .toString();
  }

  /** The exchange in turn of a query without adaptive execution. */
  static SpillwayShuffleExchangeExec exchangeInTurn(Dataset<Row> query) {
    SparkPlan plan = query.queryExecution().executedPlan();
    return exchanges(plan).stream()
        .filter(exchange -> exchange.outputPartitioning() instanceof RoundRobinPartitioning)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no native exchange in turn in\n" + plan));
  }

  private static List<SpillwayShuffleExchangeExec> exchanges(SparkPlan plan) {
    SparkPlan node =
        plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : plan;
    List<SpillwayShuffleExchangeExec> found = new ArrayList<>();
    if (node instanceof SpillwayShuffleExchangeExec exchange) {
      found.add(exchange);
    }
    ScalaCollections.list(node.children()).forEach(child -> found.addAll(exchanges(child)));
    return found;
  }

  /**
   * Says that an exchange is native, moves Spark's rows, and puts as many into each partition.
   *
   * @return how many rows each partition has
   */
  private static Map<Integer, Long> assertLikeSpark(String sql) {
    String located = "select *, spark_partition_id() as in_partition from (" + sql + ")";
    SparkSession spark = session.spark();
    spark.conf().set("spark.spillway.enabled", "false");
    List<Row> expected = spark.sql(located).collectAsList();
    spark.conf().set("spark.spillway.enabled", "true");
    Dataset<Row> query = spark.sql(located);
    List<Row> actual = query.collectAsList();
    assertThat(query.queryExecution().executedPlan().toString())
        .as("the plan of: %s", sql)
        .contains("SpillwayExchange RoundRobinPartitioning");
    assertThat(texts(actual)).as("rows of: %s", sql).isEqualTo(texts(expected));
    assertThat(counts(actual)).as("rows by partition: %s", sql).isEqualTo(counts(expected));
    session.assertNothingLeft();
    return counts(actual);
  }

  private static List<String> texts(List<Row> rows) {
    return rows.stream().map(row -> text(row, row.size() - 1)).sorted().toList();
  }

  private static String text(Row row, int columns) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns; i++) {
      Object value = row.get(i);
      text.append(value instanceof byte[] bytes ? Arrays.toString(bytes) : value).append('|');
    }
    return text.toString();
  }

  private static Map<Integer, Long> counts(List<Row> rows) {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.getInt(row.size() - 1), TreeMap::new, Collectors.counting()));
  }

  private static void table(String name, String sql) {
    String path = folder.resolve(name).toString();
    session.spark().sql(sql).write().mode("overwrite").parquet(path);
    session.spark().read().parquet(path).createOrReplaceTempView(name);
  }

  private static void with(String key, String value, Runnable action) {
    session.spark().conf().set(key, value);
    try {
      action.run();
    } finally {
      session.spark().conf().unset(key);
    }
  }
}
