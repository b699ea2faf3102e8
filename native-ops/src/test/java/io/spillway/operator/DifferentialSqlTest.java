package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.PlanFigures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random queries over random tables, native against Spark's own operators in the same session. A
 * seed names a whole case: the table, its format, the session's settings and the queries. {@code
 * -Dspillway.sql.seed=N} runs that seed alone.
 */
class DifferentialSqlTest {
  private static final int SEEDS = 6;
  private static final int QUERIES_PER_SEED = 5;

  /** Names of columns that can be keys and inputs of any function here, and of those of numbers. */
  private static final String[] PLAIN = {
    "id", "b", "s", "i", "l", "f", "d", "d7", "d18", "d38", "flag", "day", "ts", "st", "lt", "bin",
    "nothing"
  };

  private static final String[] NUMBERS = {"id", "b", "s", "i", "l", "f", "d", "d7", "d18", "d38"};
  private static final String[] NESTED = {"arr", "rec", "kv", "span"};

  /** What the expressions of a query are made of, none of which fails in ANSI mode. */
  private static final String[] EXPRESSIONS = {
    "upper(lt)",
    "lower(st)",
    "initcap(lt)",
    "substring(lt, 6, length(st) + 3)",
    "right(lt, 9)",
    "concat_ws('-', st, lt, b)",
    "st || lt || st",
    "replace(lt, 'text', st)",
    "trim(both 'lx' from lt)",
    "lpad(st, 15, lt)",
    "rpad(lt, 40, '-')",
    "repeat(st, 3)",
    "reverse(lt)",
    "substring_index(lt, 'x', 2)",
    "instr(lt, 'x')",
    "locate('x', lt, 4)",
    "length(lt) + octet_length(bin)",
    "cast(bin as string)",
    "year(day) * 100 + month(day)",
    "last_day(day)",
    "trunc(day, 'quarter')",
    "add_months(day, b)",
    "day + interval '3' month",
    "date_add(day, s)",
    "datediff(day, date'2000-02-29')",
    "weekofyear(day) + dayofweek(day) + dayofyear(day) + quarter(day)",
    "hour(ts) * 60 + minute(ts)",
    "date_trunc('hour', ts)",
    "date_format(ts, 'yyyy-MM')",
    "cast(day as timestamp)",
    "cast(ts as date)",
    "cast(d18 as string)",
    "cast(l as string)",
    "cast(d as string)",
    "cast(day as string)",
    "cast(flag as string)",
    "round(d18, 1)",
    "bround(d7, 1)",
    "round(d, 2)",
    "ceil(d7) + floor(d7)",
    "d18 * d7",
    "d18 / 7.0",
    "cast(d18 as decimal(25, 1))",
    "cast(d18 as double)",
    "i % 7",
    "pmod(i, 5)",
    "b & 6 | 1",
    "shiftright(l, 3)",
    "greatest(st, lt)",
    "least(d, f)",
    "hash(st, i, d38, day, d, flag)",
    "nanvl(d, 0D)",
    "coalesce(st, cast(l as string))",
    "case when flag then d7 when i > 5 then d18 end",
    "if(st = 'k3', null, lt)"
  };

  /** Functions whose result does not depend on the order of the rows. */
  private static final String[] FUNCTIONS = {
    "stddev(i)",
    "stddev_pop(d7)",
    "var_samp(s)",
    "variance(b)",
    "var_pop(d18)",
    "bit_and(s)",
    "bit_or(i)",
    "bit_xor(l)",
    "bool_and(flag)",
    "some(flag)",
    "first(if(flag, 'a long text to keep', null), true)",
    "last(if(flag, d7 * 0, null), true)",
    "last(if(i > 3, 'k', null), true)",
    "first(if(id < 0, lt, null))",
    "any_value(if(id < 0, l, 7))",
    "count(distinct st)",
    "count(distinct st, i)",
    "sum(distinct i)"
  };

  private static final String[] CONDITIONS = {
    "lt like '%%te_t%%1%%'",
    "substring(lt, 11, 2) in ('xx', 'x', st)",
    "year(day) between 1999 and 2000",
    "upper(st) >= 'K2' and length(lt) > %d %% 50",
    "i %% 5 = 2 or hash(lt) > 0",
    "d18 * d7 > %d",
    "id %% 3 <> 1",
    "l > %d",
    "d > 1.5D or f is null",
    "lt like 'long%%1%%'",
    "st in ('k1', 'k3', '') or nothing is null",
    "d18 between -5 and %d.5",
    "not flag and day > date'2000-06-01'",
    "coalesce(lt, st) >= 'k'",
    "id < 0",
    "size(arr) > 1 and l is not null",
    "rec.x > 1 or i < %d",
    "bin is not null and d38 <> 0"
  };

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "16m", Map.of("spark.sql.shuffle.partitions", "3"));
  }

  @AfterAll
  static void close() {
    session.close();
  }

  /** Every key lies in one partition, whose rows are in order. */
  @Test
  void shouldKeepTheFirstAndTheLastValueWhenTheOrderOfTheRowsIsGiven() {
    String rows =
        "(select id div 25 as k, id, if(id % 3 = 0, null, lpad(concat('text ', id), 36, 'x')) as lt,"
            + " if(id % 5 = 0, null, cast(id as decimal(30, 2))) as w,"
            + " id % 7 = 0 as flag from range(0, 20000, 1, 4))";
    session.assertSameAsSpark(
        "select k, first(lt), last(lt), first(lt, true), last(lt, true), first(w), last(w, true),"
            + " last(flag), first(id), first(id % 2 = 0), last(cast(id as double)), max(lt) from "
            + rows
            + " group by k");
    session.assertSameAsSpark(
        "select k, first(w), last(w), last(flag), first(id), last(w, true), stddev(id),"
            + " bit_xor(id) filter (where flag) from "
            + rows
            + " group by k");
  }

  @AfterEach
  void restoreSettings() {
    SparkSession spark = session.spark();
    spark.catalog().clearCache();
    for (String key : SWITCHES) {
      spark.conf().unset(key);
    }
  }

  private static final String[] SWITCHES = {
    "spark.sql.adaptive.enabled",
    "spark.sql.columnVector.offheap.enabled",
    "spark.sql.ansi.enabled",
    "spark.sql.parquet.enableVectorizedReader",
    "spark.sql.codegen.wholeStage"
  };

  static LongStream seeds() {
    Long only = Long.getLong("spillway.sql.seed");
    return only != null ? LongStream.of(only) : LongStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void shouldEqualSparkWhenQueriesAndDataAreRandom(long seed) {
    Random random = new Random(seed);
    SparkSession spark = session.spark();
    String switched = setUp(spark, random, seed);
    System.out.println("DifferentialSqlTest: seed " + seed + ", " + switched);
    int nativeOperators = 0;
    for (int q = 0; q < QUERIES_PER_SEED; q++) {
      String sql = query(random);
      String what = "seed " + seed + ", " + switched + ": " + sql;
      spark.conf().set("spark.spillway.enabled", "false");
      Results expected = Results.of(spark.sql(sql));
      spark.conf().set("spark.spillway.enabled", "true");
      Dataset<Row> query = spark.sql(sql);
      Results.of(query).assertEquals(expected, what);
      nativeOperators += PlanFigures.of(query.queryExecution().executedPlan()).nativeOperators();
      session.assertNothingLeft();
    }
    if (!switched.contains("ansi")) {
      assertThat(nativeOperators).as("native operators of seed %d", seed).isPositive();
    }
  }

  private static String setUp(SparkSession spark, Random random, long seed) {
    List<String> switched = new ArrayList<>();
    for (String key : SWITCHES) {
      // ANSI mode leaves little native, and is drawn less often.
      if (random.nextInt(key.contains("ansi") ? 8 : 3) == 0) {
        boolean usual = !key.contains("offheap") && !key.contains("ansi");
        spark.conf().set(key, !usual);
        switched.add(key + "=" + !usual);
      }
    }
    Dataset<Row> table = spark.sql(table(random));
    String path = folder.resolve("t" + seed).toString();
    String form =
        switch (random.nextInt(5)) {
          case 0 -> {
            table.write().option("parquet.enable.dictionary", "false").parquet(path);
            yield "parquet without dictionaries";
          }
          case 1 -> {
            table.drop("span").write().orc(path);
            yield "orc";
          }
          case 2 -> {
            table.write().partitionBy("st").parquet(path);
            yield "partitioned parquet";
          }
          case 3 -> "cached";
          default -> {
            table.write().parquet(path);
            yield "parquet";
          }
        };
    Dataset<Row> view =
        switch (form) {
          case "cached" -> table.cache();
          case "orc" ->
              // Intervals have no place in an ORC file.
              spark.read().orc(path).selectExpr("*", "interval '1' day as span");
          default -> spark.read().parquet(path);
        };
    view.createOrReplaceTempView("t");
    return form + " " + switched;
  }

  /** Values come from a hash, so that they are the same however often the query runs. */
  private static String table(Random random) {
    int rows = 1 + random.nextInt(3000);
    int groups = 1 + random.nextInt(rows);
    int nullOneIn = 2 + random.nextInt(20);
    String h = "pmod(xxhash64(id, " + random.nextInt() + "), 1000003)";
    String maybe = "if(pmod(hash(id, %d), " + nullOneIn + ") = 0, null, %s)";
    List<String> columns = new ArrayList<>();
    columns.add("id");
    add(columns, maybe, "b", "cast(" + h + " % 256 - 128 as byte)");
    add(columns, maybe, "s", "cast(" + h + " % 17 as short)");
    add(columns, maybe, "i", "cast(" + h + " % " + groups + " as int)");
    add(columns, maybe, "l", "if(id % 40 = 0, 9223372036854775807L, " + h + " * 1000003)");
    add(
        columns,
        maybe,
        "f",
        "cast(if(id % 31 = 0, 'NaN', if(id % 7 = 0, '-0.0', cast(id % 5 as string))) as float)");
    add(columns, maybe, "d", special("double", h + " / 64D"));
    add(columns, maybe, "d7", "cast(" + h + " % 90000 / 100 as decimal(7, 2))");
    add(columns, maybe, "d18", "cast(" + h + " - 500000 as decimal(18, 3))");
    add(
        columns,
        maybe,
        "d38",
        "cast(concat(if(id % 2 = 0, '-', ''), id % 9, repeat('7', 36))" + " as decimal(38, 1))");
    columns.add(h + " % 3 = 0 as flag");
    add(columns, maybe, "day", "date_add(date'1999-01-01', cast(" + h + " % 999 as int))");
    add(columns, maybe, "ts", "timestamp_seconds(" + h + " % 97 * 86399)");
    add(columns, maybe, "st", "if(id % 9 = 0, '', concat('k', " + h + " % 13))");
    add(
        columns,
        maybe,
        "lt",
        "concat('long text ', repeat('x', cast(id % 50 as int)), char(0), "
            + h
            + " % "
            + groups
            + ")");
    add(columns, maybe, "bin", "concat(unhex('FF00FE'), cast(cast(id % 5 as string) as binary))");
    columns.add("cast(null as int) as nothing");
    columns.add("array(id, id + 1, null) as arr");
    columns.add("named_struct('x', id % 5, 'y', 'z') as rec");
    columns.add("map('k', id) as kv");
    columns.add("interval '1' day * cast(id % 3 as int) as span");
    return "select " + String.join(", ", columns) + " from range(0, " + rows + ", 1, 3)";
  }

  private static void add(List<String> columns, String maybe, String name, String value) {
    columns.add(maybe.formatted(name.hashCode(), value) + " as " + name);
  }

  private static String special(String type, String otherwise) {
    return "case id %% 23 when 0 then %1$s('NaN') when 1 then %1$s('-0.0') when 2 then %1$s('0')"
            .formatted(type)
        + " when 3 then %s('-Infinity') else %s end".formatted(type, otherwise);
  }

  private static String query(Random random) {
    return switch (random.nextInt(8)) {
      case 0 ->
          "select id, "
              + pick(random, PLAIN)
              + " as x, "
              + pick(random, NESTED)
              + " as y, "
              + pick(random, EXPRESSIONS)
              + " as z, "
              + pick(random, EXPRESSIONS)
              + " as w from t"
              + where(random);
      case 1 -> "select distinct " + keys(random) + " from t" + where(random);
      case 2 ->
          "select count(distinct "
              + pick(random, PLAIN)
              + "), sum(i), max(lt) from t"
              + where(random);
      case 3 ->
          "select a.k, a.m, c.n from (select st as k, max(lt) as m from t group by st) a join"
              + " (select st as k, count(*) as n from t"
              + where(random)
              + " group by st) c"
              + " on a.k = c.k";
      case 4 ->
          "select k, n, rank() over (partition by n % 3 order by n, k) from (select i as k,"
              + " count(*) as n, max("
              + pick(random, PLAIN)
              + ") as m from t"
              + where(random)
              + " group by i)";
      case 5 ->
          "select b, flag, "
              + functions(random)
              + " from t"
              + where(random)
              + (random.nextBoolean() ? " group by rollup(b, flag)" : " group by cube(b, flag)");
      case 6 -> "select " + functions(random) + " from t" + where(random);
      default -> {
        String keys = keys(random);
        yield "select "
            + keys
            + ", "
            + functions(random)
            + " from t"
            + where(random)
            + " group by "
            + keys;
      }
    };
  }

  private static String where(Random random) {
    if (random.nextInt(4) == 0) {
      return "";
    }
    String condition = pick(random, CONDITIONS).formatted(random.nextInt(400));
    return " where "
        + condition
        + (random.nextBoolean()
            ? " and (" + pick(random, CONDITIONS).formatted(random.nextInt(400)) + " or id > 9)"
            : "");
  }

  private static String keys(Random random) {
    return String.join(
        ", ",
        IntStream.rangeClosed(0, random.nextInt(3))
            .mapToObj(k -> random.nextInt(3) == 0 ? pick(random, EXPRESSIONS) : pick(random, PLAIN))
            .distinct()
            .toList());
  }

  private static String functions(Random random) {
    List<String> functions = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      functions.add(
          switch (random.nextInt(9)) {
            case 6 -> pick(random, FUNCTIONS);
            case 7, 8 ->
                oneOf(random, FUNCTIONS, "sum(d18)", "avg(d7)", "max(lt)", "count(*)", "min(f)")
                    + filter(random);
            // Overflow is an error in ANSI mode: what may overflow there is tried for its sum.
            case 0 -> "try_sum(" + pick(random, NUMBERS) + ")";
            case 1 -> "sum(" + pick(random, "b", "s", "i", "f", "d", "d7", "d18") + ")";
            case 2 -> "avg(" + pick(random, "b", "s", "i", "d", "d7", "d18") + ")";
            case 3 -> "min(" + any(random) + ")";
            case 4 -> "max(" + any(random) + ")";
            default -> "count(" + pick(random, PLAIN) + ")";
          });
    }
    return String.join(", ", functions);
  }

  private static String oneOf(Random random, String[] choices, String... others) {
    return random.nextBoolean() ? pick(random, choices) : pick(random, others);
  }

  private static String filter(Random random) {
    return random.nextBoolean()
        ? " filter (where " + pick(random, CONDITIONS).formatted(random.nextInt(400)) + ")"
        : "";
  }

  private static String any(Random random) {
    return random.nextBoolean() ? pick(random, PLAIN) : pick(random, EXPRESSIONS);
  }

  private static String pick(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
