package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins of two shuffled sides over Parquet, native against Spark's own in the same session. */
class NativeJoinTest {
  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    Map<String, String> settings =
        Map.of("spark.sql.autoBroadcastJoinThreshold", "-1", "spark.sql.shuffle.partitions", "2");
    session = TestSession.open(2, "64m", settings);
    // Every key type; nulls, NaN and both zeros; keys that repeat on both sides and that meet none.
    table("a", 500, 2, 120);
    table("b", 400, 1, 150);
  }

  private static void table(String name, int rows, int files, int keys) {
    SparkSession spark = session.spark();
    String path = folder.resolve(name).toString();
    spark
        .sql(
            """
            select id,
              if(k %% 29 = 0, null, k) as l,
              if(k %% 31 = 0, null, cast(k as int)) as i,
              cast(k %% 100 as short) as s,
              cast(k %% 50 as byte) as y,
              k = 3 as t,
              case when k %% 17 = 0 then double('NaN') when k %% 13 = 0 then -0.0D
                when k %% 7 = 0 then 0.0D when k %% 23 = 0 then null else k / 4.0D end as d,
              cast(case when k %% 17 = 0 then float('NaN') when k %% 13 = 0 then -0.0F
                when k %% 7 = 0 then 0.0F else k end as float) as f,
              if(k %% 37 = 0, null, cast(k as decimal(9, 2))) as dec9,
              if(k %% 41 = 0, null, cast(k as decimal(30, 3)) * 1000000007) as dec38,
              date_add(date'1992-01-01', cast(k as int)) as day,
              timestamp_seconds(k * 37) as ts,
              if(k %% 43 = 0, null, concat('k', k)) as short_text,
              concat('a rather long text that does not fit into a slot ', k) as long_text,
              cast(concat('binary key number ', k) as binary) as bin,
              id %% 1000 as v,
              if(id %% 11 = 0, null, concat('payload number ', id, ' of table %s')) as payload,
              cast(null as int) as nothing
            from (select id, (id * 7919) %% %d as k from range(0, %d, 1, %d))
            """
                .formatted(name, keys, rows, files))
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static void check(String sql) {
    String plan = session.assertSameAsSpark(sql).queryExecution().executedPlan().toString();
    assertThat(plan)
        .as("the plan of %s", sql)
        .contains("SpillwayShuffledHashJoin")
        .doesNotContain("SortMergeJoin [")
        .doesNotContain("Sort [");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "l",
        "i",
        "s",
        "y",
        "t",
        "d",
        "f",
        "dec9",
        "dec38",
        "day",
        "ts",
        "short_text",
        "long_text",
        "bin",
        "nothing"
      })
  void shouldEqualSparkWhenTheKeyIsOfAnyType(String key) {
    check(
        "select a.id, b.id, a.%1$s, b.%1$s, a.payload, b.payload from a full join b on a.%1$s = b.%1$s"
            .formatted(key));
  }

  @ParameterizedTest(name = "{0}({1}) {2}")
  @CsvSource({
    "merge, a, inner join",
    "merge, a, left join",
    "merge, a, right join",
    "merge, a, full join",
    "merge, a, left semi join",
    "merge, a, left anti join",
    "shuffle_hash, a, inner join",
    "shuffle_hash, a, left join",
    "shuffle_hash, a, right join",
    "shuffle_hash, a, full join",
    "shuffle_hash, b, left join",
    "shuffle_hash, b, right join",
    "shuffle_hash, b, full join",
    "shuffle_hash, b, left semi join",
    "shuffle_hash, b, left anti join",
  })
  void shouldEqualSparkWhenJoiningInAnyWay(String hint, String side, String type) {
    boolean left = type.contains("semi") || type.contains("anti");
    String head =
        "select /*+ %s(%s) */ a.id, a.long_text%s from a %s b on "
            .formatted(hint, side, left ? "" : ", b.id, b.payload, b.d", type);
    check(head + "a.l = b.l");
    check(head + "a.l = b.l and a.d = b.d and (a.payload < b.payload or a.s + b.s > 60)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from a where exists (select 1 from b where b.l = a.l) or a.v > 400",
        "select id from a where exists (select 1 from b where b.l = a.l and b.v > a.v) or a.v > 400",
        "select id from a where not exists (select 1 from b where b.i = a.i) or a.v > 400",
        "select a.id, b.id from a join b on a.l <=> b.l and a.s = b.s",
        "select a.id, b.id from a join (select * from b where id < 0) b on a.l = b.l",
        "select a.id, b.id from a full join (select * from b where id < 0) b on a.l = b.l",
        "select a.id, b.id from (select * from a where id < 0) a right join b on a.l = b.l",
        "select a.id from a left anti join (select * from b where id < 0) b on a.l = b.l",
        "select count(*) from a join b on a.l = b.l",
        "select a.l, sum(b.v), count(*) from a join b on a.l = b.l group by a.l",
        "select x.id, y.id, z.id from a x join b y on x.l = y.l join a z on y.i = z.i and z.id < 99",
        "select x.id, y.id from a x join a y on x.v = y.v and x.long_text = y.long_text",
        "select a.*, b.* from a join b on a.l + 1 = b.l * 2 and a.v <> b.v",
      })
  void shouldEqualSparkWhenTheShapeIsUnusual(String sql) {
    check(sql);
  }

  @Test
  void shouldEqualSparkWhenAdaptiveExecutionIsOff() {
    session.spark().conf().set("spark.sql.adaptive.enabled", "false");
    try {
      check("select a.id, b.id from a join b on a.l = b.l");
      check("select a.id, b.id, c.id from a full join b on a.l = b.l left join a c on b.i = c.i");
    } finally {
      session.spark().conf().unset("spark.sql.adaptive.enabled");
    }
  }

  @Test
  void shouldSplitSkewedPartitionsAsAdaptiveExecutionWants() {
    Map<String, String> settings =
        Map.of(
            "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "1000",
            "spark.sql.adaptive.advisoryPartitionSizeInBytes", "500",
            "spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.1");
    settings.forEach(session.spark().conf()::set);
    try {
      for (String type : new String[] {"join", "left join"}) {
        String sql =
            "select x.id, y.id from (select id, if(id % 4 > 0, 5, id) as l from range(0, 4000, 1, 4)) x "
                + type
                + " (select * from b where id < 300) y on x.l = y.l";
        check(sql);
        var query = session.spark().sql(sql);
        query.collectAsList();
        assertThat(query.queryExecution().executedPlan().toString()).contains("skewed");
      }
    } finally {
      settings.keySet().forEach(session.spark().conf()::unset);
    }
  }
}
