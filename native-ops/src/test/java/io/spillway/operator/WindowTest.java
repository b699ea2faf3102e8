package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows against Spark's own. A seed names a table and its queries; {@code -Dspillway.sql.seed=N}
 * runs that seed alone.
 */
class WindowTest {
  private static final int SEEDS = 4;
  private static final int QUERIES_PER_SEED = 4;

  private static final String[] RANKS = {
    "row_number()",
    "rank()",
    "dense_rank()",
    "percent_rank()",
    "cume_dist()",
    "ntile(1)",
    "ntile(3)",
    "ntile(7)",
    "ntile(1000)"
  };

  private static final String[] AGGREGATES = {
    "count(*)",
    "count(l)",
    "count(st)",
    "sum(b)",
    "sum(s)",
    "sum(i)",
    "sum(l)",
    "sum(d)",
    "sum(f)",
    "sum(d7)",
    "sum(d18)",
    "sum(d38)",
    "avg(d7)",
    "avg(d18)",
    "min(st)",
    "max(lt)",
    "first(lt)",
    "last(st)",
    "first(st, true)",
    "last(lt, true)",
    "avg(i)",
    "avg(l)",
    "avg(d)",
    "avg(f)",
    "min(b)",
    "max(s)",
    "min(i)",
    "max(l)",
    "min(f)",
    "max(d)",
    "min(d7)",
    "max(d38)",
    "min(flag)",
    "max(day)",
    "min(ts)",
    "first(i)",
    "last(l)",
    "first(d38, true)",
    "last(s, true)",
    "first(d)",
    "sum(i + 1)",
    "sum(1)",
    "max(l) - min(l)"
  };

  private static final String[] FRAMES = {
    "",
    "",
    "rows between unbounded preceding and current row",
    "range between unbounded preceding and current row",
    "rows between unbounded preceding and unbounded following",
    "range between unbounded preceding and unbounded following"
  };

  static final String[] KEYS = {
    "b", "s", "i", "f", "d", "d7", "d38", "flag", "day", "ts", "st", "lt", "id % 5", "id % 700"
  };

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "6m", Map.of());
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
  void shouldComeToWhatSparkComesToWhenWindowsAndDataAreRandom(long seed) {
    Random random = new Random(seed);
    SparkSession spark = session.spark();
    String path = folder.resolve("t" + seed).toString();
    spark.sql(table(random)).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
    for (int q = 0; q < QUERIES_PER_SEED; q++) {
      String sql = query(random);
      System.out.println("WindowTest: seed " + seed + ": " + sql);
      assertWindow(sql);
    }
  }

  /** The id makes the order one, unless only what peers share is asked for. */
  private static String query(Random random) {
    String partition =
        random.nextInt(5) == 0
            ? ""
            : "partition by "
                + pick(random, KEYS)
                + (random.nextBoolean() ? ", " + pick(random, KEYS) : "");
    String direction = random.nextBoolean() ? " desc" : " asc nulls last";
    String ties = partition + " order by " + pick(random, KEYS) + direction;
    String whole = ties + ", id";
    List<String> columns = new ArrayList<>(List.of("id", "st", "lt"));
    int count = 1 + random.nextInt(6);
    for (int c = 0; c < count; c++) {
      String column =
          switch (random.nextInt(3)) {
            case 0 -> pick(random, RANKS) + " over (" + whole + ")";
            case 1 ->
                pick(
                        random,
                        new String[] {"rank()", "dense_rank()", "percent_rank()", "cume_dist()"})
                    + " over ("
                    + ties
                    + ")";
            default ->
                pick(random, AGGREGATES)
                    .replaceAll(
                        "(\\w+\\([^)]*\\))",
                        "$1 over (" + whole + " " + pick(random, FRAMES) + ")");
          };
      columns.add(column + " as c" + c);
    }
    return "select " + String.join(", ", columns) + " from t";
  }

  static String pick(Random random, String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static Dataset<Row> assertWindow(String sql) {
    return assertWindow(session, sql);
  }

  /** Runs a query natively and on plain Spark: the same, and no window was Spark's. */
  static Dataset<Row> assertWindow(TestSession session, String sql) {
    Dataset<Row> query = session.assertSameAsSpark(sql);
    String plan = query.queryExecution().executedPlan().toString();
    assertThat(plan).as("the plan of: %s", sql).contains("SpillwayWindow");
    assertThat(plan.replaceFirst("(?s)== Initial Plan ==.*", ""))
        .as("the plan of: %s", sql)
        .doesNotContainPattern("(?m)[ -]Window \\[");
    return query;
  }

  private static void numbers(String name, String columns, long rows) {
    String path = folder.resolve(name).toString();
    SparkSession spark = session.spark();
    spark.sql("select " + columns + " from range(0, " + rows + ", 1, 1)").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldStayInColumnsWhenSumsAreRankedWithinRegions(String aqe) {
    numbers("sales" + aqe, "id, concat('r', id % 5) as region, id % 4 as c, id * 1.5D as a", 4000);
    SparkSession spark = session.spark();
    spark.sql("set spark.sql.adaptive.enabled=" + aqe);
    try {
      assertWindow(
          "select region, c, sum(a), count(*), avg(a),"
              + " rank() over (partition by region order by sum(a) desc) from sales"
              + aqe
              + " where a > 0 group by region, c");
    } finally {
      spark.sql("reset spark.sql.adaptive.enabled");
    }
  }

  @Test
  void shouldKeepTheFirstRanksWhenAWindowIsLimited() {
    numbers("limited", "id, id % 13 as k, id % 40 as v", 5000);
    for (String function : List.of("row_number()", "rank()", "dense_rank()")) {
      String order = function.equals("row_number()") ? "v desc, id" : "v desc";
      Dataset<Row> query =
          assertWindow(
              "select * from (select *, "
                  + function
                  + " over (partition by k order by "
                  + order
                  + ") as r from limited) where r <= 3");
      assertThat(
              query
                  .queryExecution()
                  .executedPlan()
                  .toString()
                  .replaceFirst("(?s)== Initial Plan ==.*", ""))
          .contains("SpillwayFilter")
          .doesNotContain("WindowGroupLimit");
    }
  }

  @Test
  void shouldSeeThatASumOfDecimalsIsTooLargeWhereSparkDoes() {
    // Beyond 38 digits in the middle of the partition, and back at its end.
    numbers(
        "digits",
        "id, id % 3 as k, cast(concat(if(id < 15, '', '-'), '9', repeat('0', 37)) as decimal(38, 0)) as v",
        30);
    for (String frame : List.of("", "order by id", "order by id rows unbounded preceding")) {
      assertWindow("select id, sum(v) over (partition by k " + frame + ") from digits");
    }
    assertThat(
            session
                .assertSameAsSpark(
                    "select s from (select sum(v) over (order by id) as s from digits) where s is"
                        + " null")
                .count())
        .as("sums that are too large")
        .isPositive();
  }

  @Test
  void shouldComeToNothingWhenThereAreNoRows() {
    numbers("few", "id, id as v", 10);
    assertWindow("select id, sum(v) over (order by id), count(*) over () from few where id < 0");
  }

  @Test
  void shouldCompareWholeKeysWhenTheyAreLongAndRowsComeOneByOne() {
    numbers(
        "lengthy",
        "id, concat(repeat('long key ', 3000), cast(id / 20 as int)) as k, id % 3 as v",
        120);
    assertWindow(
        "select id, rank() over (partition by k order by v), sum(id) over (partition by k order by"
            + " v) from lengthy");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "collect_list(v) over (partition by v)",
        "avg(cast(v as decimal(30, 0))) over (partition by v)"
      })
  void shouldStayWithSparkAndSayWhyWhenAFunctionHasNoNativeForm(String function) {
    numbers("other", "id, id % 3 as v, cast(id as string) as st", 50);
    String sql = "select id, " + function + " as w from other where id > 3";
    Dataset<Row> query = session.assertSameAsSpark(sql);
    assertThat(query.queryExecution().executedPlan().toString()).doesNotContain("SpillwayWindow");
    session.spark().sql("drop view other");
    deleteFolder(folder, "other");
  }

  static void deleteFolder(Path folder, String name) {
    java.io.File[] files = folder.resolve(name).toFile().listFiles();
    for (java.io.File file : files == null ? new java.io.File[0] : files) {
      assertThat(file.delete()).isTrue();
    }
    assertThat(folder.resolve(name).toFile().delete()).isTrue();
  }

  @Test
  void shouldStayWithSparkWhenTheSwitchIsOff() {
    numbers("switched", "id, id % 3 as v", 50);
    session.spark().conf().set("spark.spillway.operator.window.enabled", "false");
    try {
      Dataset<Row> query =
          session.assertSameAsSpark(
              "select id, rank() over (partition by v order by id) from switched");
      assertThat(query.queryExecution().executedPlan().toString()).doesNotContain("SpillwayWindow");
    } finally {
      session.spark().conf().unset("spark.spillway.operator.window.enabled");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "select k, v, count(*), sum(id) from e group by grouping sets ((k), (v), (k, v), ());"
            + " SpillwayExpand",
        "select k, count(distinct v), count(distinct id), sum(id) from e group by k;"
            + " SpillwayExpand",
        "select k, sum(v) from (select k, v from e union all select v, id from e where id > 7)"
            + " group by k; SpillwayUnion",
        "select /*+ coalesce(1) */ id, k + 1 from e where id > 4; SpillwayCoalesce"
      })
  void shouldKeepColumnsWhenRowsAreExpandedUnitedOrCoalesced(String sql, String operator) {
    String path = folder.resolve("e").toString();
    SparkSession spark = session.spark();
    spark
        .sql("select id, id % 7 as k, if(id % 3 = 0, null, id % 11) as v from range(0, 3000, 1, 3)")
        .write()
        .mode("overwrite")
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("e");
    Dataset<Row> query = session.assertSameAsSpark(sql);
    assertThat(query.queryExecution().executedPlan().toString()).contains(operator);
  }

  /** A select of columns of all types, with nulls and extremes; the id is unique. */
  static String table(Random random) {
    int rows = 1 + random.nextInt(6000);
    int nulls = 2 + random.nextInt(20);
    String h = "pmod(xxhash64(id, " + random.nextInt() + "), 1000003)";
    String maybe = "if(pmod(hash(id, %d), " + nulls + ") = 0, null, %s) as %s";
    String[][] columns = {
      {"b", "cast(" + h + " % 256 - 128 as byte)"},
      {"s", "cast(" + h + " % 17 - 8 as short)"},
      {"i", "cast(" + h + " % 100 - 50 as int)"},
      {
        "l",
        "case id % 40 when 0 then 9223372036854775807L when 1 then -9223372036854775808L"
            + " else "
            + h
            + " % 300 - 150 end"
      },
      {
        "f",
        "cast(case id % 31 when 0 then 'NaN' when 1 then '-0.0' else cast(id % 5 as string) end as"
            + " float)"
      },
      {"d", "case id % 23 when 1 then -0.0D when 2 then 0.0D else " + h + " / 64D + 5000 end"},
      {"d7", "cast(" + h + " % 900 / 100 - 4 as decimal(7, 2))"},
      {"d18", "cast(" + h + " - 500000 as decimal(18, 3))"},
      {
        "d38",
        "cast(concat(if(id % 2 = 0, '-', ''), id % 9, repeat('7', cast("
            + h
            + " % 3 as int) * 17)) as decimal(38, 1))"
      },
      {"day", "date_add(date'1999-01-01', cast(" + h + " % 999 as int))"},
      {"ts", "timestamp_seconds(" + h + " % 97 * 86399 - 4000000)"},
      {"st", "if(id % 9 = 0, '', concat('k', char(0), " + h + " % 13))"},
      {"lt", "concat('long text ', repeat('x', cast(id % 50 as int)), char(200), " + h + " % 20)"},
    };
    List<String> all = new ArrayList<>(List.of("id", h + " % 3 = 0 as flag"));
    for (String[] column : columns) {
      all.add(maybe.formatted(column[0].hashCode(), column[1], column[0]));
    }
    return "select " + String.join(", ", all) + " from range(0, " + rows + ", 1, 1)";
  }
}
