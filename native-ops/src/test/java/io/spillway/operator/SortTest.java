package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.PlanFigures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sorts against Spark's own, row by row in order. A seed names a table and its queries; {@code
 * -Dspillway.sql.seed=N} runs that seed alone.
 */
class SortTest {
  private static final int SEEDS = 5;
  private static final int QUERIES_PER_SEED = 5;

  private static final String[] KEYS = {
    "id",
    "b",
    "s",
    "i",
    "l",
    "f",
    "d",
    "d7",
    "d18",
    "d38",
    "flag",
    "day",
    "ts",
    "st",
    "lt",
    "bin",
    "nothing",
    "i + b",
    "-l",
    "d * 2",
    "st = 'k3'",
    "coalesce(lt, st)"
  };

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "4m", Map.of());
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
  void shouldBeInSparksOrderWhenKeysAndDataAreRandom(long seed) {
    Random random = new Random(seed);
    String path = folder.resolve("t" + seed).toString();
    SparkSession spark = session.spark();
    spark.sql(table(random)).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
    for (int q = 0; q < QUERIES_PER_SEED; q++) {
      String sql = "select * from t sort by " + keys(random);
      if (random.nextInt(3) == 0) {
        sql = "select id, st from t where id > 20 sort by " + keys(random);
      }
      System.out.println("SortTest: seed " + seed + ": " + sql);
      assertSameOrder(sql);
    }
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldBeInSparksOrderWhenAnAggregateIsSorted(String aqe) {
    SparkSession spark = session.spark();
    spark.sql("set spark.sql.adaptive.enabled=" + aqe);
    spark.sql("set spark.sql.shuffle.partitions=1");
    try {
      assertSameOrder(
          "select k, s from (select id % 1000 as k, sum(id) as s from range(0, 20000, 1, 2) group by"
              + " 1) sort by s desc, k");
    } finally {
      spark.sql("reset spark.sql.adaptive.enabled");
      spark.sql("set spark.sql.shuffle.partitions=4");
    }
  }

  @Test
  void shouldBeInSparksOrderWhenThereIsNothingToSort() {
    String path = folder.resolve("empty").toString();
    SparkSession spark = session.spark();
    spark.sql("select id, 'x' as t from range(10) where id < 0").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("e");
    assertSameOrder("select * from e sort by t, id desc");
  }

  @Test
  void shouldBeInSparksOrderWhenRowsHaveHundredsOfColumns() {
    List<String> columns = new ArrayList<>(List.of("id"));
    for (int c = 0; c < 300; c++) {
      columns.add(
          c % 3 == 0
              ? "if(id %% 7 = %1$d %% 7, null, concat('text of column %1$d: ', id)) as c%1$d"
                  .formatted(c)
              : "if(id %% 5 = %1$d %% 5, null, id * %1$d) as c%1$d".formatted(c));
    }
    String path = folder.resolve("wide").toString();
    SparkSession spark = session.spark();
    spark
        .sql("select " + String.join(", ", columns) + " from range(0, 1500, 1, 1)")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("w");
    // The reader gives batches of so many columns only then.
    spark.sql("set spark.sql.codegen.maxFields=1000");
    try {
      assertSameOrder("select * from w sort by c299 desc nulls first, c0, c31, id");
    } finally {
      spark.sql("reset spark.sql.codegen.maxFields");
    }
  }

  private static void assertSameOrder(String sql) {
    SparkSession spark = session.spark();
    spark.conf().set("spark.spillway.enabled", "false");
    List<String> expected = rows(spark.sql(sql));
    spark.conf().set("spark.spillway.enabled", "true");
    Dataset<Row> query = spark.sql(sql);
    List<String> actual = rows(query);
    assertThat(query.queryExecution().executedPlan().toString())
        .as("the plan of: %s", sql)
        .contains("SpillwaySort");
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i)).as("row %d of: %s", i, sql).isEqualTo(expected.get(i));
    }
    assertThat(PlanFigures.of(query.queryExecution().executedPlan()).nativeOperators())
        .isPositive();
    session.assertNothingLeft();
  }

  private static List<String> rows(Dataset<Row> query) {
    List<String> rows = new ArrayList<>();
    for (Row row : query.collectAsList()) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        Object value = row.get(i);
        text.append(value instanceof byte[] bytes ? Arrays.toString(bytes) : value).append('|');
      }
      rows.add(text.toString());
    }
    return rows;
  }

  /** Some keys in some order, and the row's number, which makes the order one. */
  private static String keys(Random random) {
    List<String> keys = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int k = 0; k < count; k++) {
      keys.add(
          KEYS[random.nextInt(KEYS.length)]
              + (random.nextBoolean() ? " desc" : " asc")
              + (random.nextBoolean() ? " nulls first" : " nulls last"));
    }
    return String.join(", ", keys) + ", id" + (random.nextBoolean() ? " desc" : "");
  }

  /** Few values a column, so that keys often tie, and what is special among them. */
  private static String table(Random random) {
    int rows = 1 + random.nextInt(9000);
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
        "cast(case id % 31 when 0 then 'NaN' when 1 then '-0.0' when 2 then '-Infinity'"
            + " else cast(id % 5 - 2 as string) end as float)"
      },
      {
        "d",
        "case id % 23 when 0 then double('NaN') when 1 then -0.0D when 2 then 0.0D"
            + " when 3 then double('-Infinity') when 4 then double('Infinity') else "
            + h
            + " / 64D - 5000 end"
      },
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
      {"bin", "concat(unhex('FF00FE'), cast(cast(id % 5 as string) as binary))"},
    };
    List<String> all = new ArrayList<>(List.of("id", h + " % 3 = 0 as flag"));
    for (String[] column : columns) {
      all.add(maybe.formatted(column[0].hashCode(), column[1], column[0]));
    }
    all.add("cast(null as int) as nothing");
    return "select " + String.join(", ", all) + " from range(0, " + rows + ", 1, 1)";
  }
}
