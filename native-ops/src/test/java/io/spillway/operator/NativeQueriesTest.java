package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole queries over Parquet, native against Spark's own operators in the same session. */
class NativeQueriesTest {
  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "256m", Map.of());
    SparkSession spark = session.spark();
    spark
        .sql(
            """
            select id,
              cast(id % 97 as int) as i,
              cast(id % 11 as short) as s,
              cast(id % 7 as byte) as b,
              id % 3 = 0 as flag,
              id * 1000003 as l,
              cast(id % 1013 as float) / 4 as f,
              if(id % 50 = 0, double('NaN'), if(id % 51 = 0, -0.0D, id / 7.0D)) as d,
              cast(id % 100000 as decimal(9, 2)) as dec9,
              cast(id as decimal(12, 2)) / 3 as dec_mid,
              cast(cast(id as decimal(18, 3)) * 1000 as decimal(18, 3)) as dec18,
              cast(cast(id as decimal(20, 0)) * 1000000007 as decimal(30, 5)) as dec30,
              date_add(date'1992-01-01', cast(id % 2500 as int)) as day,
              timestamp_seconds(id * 37) as ts,
              concat('k', id % 23) as short_text,
              concat('a rather long text that does not fit into a slot ', id % 1009) as long_text,
              cast(concat('bin', id % 5) as binary) as bin,
              if(id % 13 = 0, null, id % 29) as maybe_long,
              if(id % 17 = 0, null, concat('maybe ', id % 31)) as maybe_text,
              if(id % 19 = 0, null, cast(id % 1000 as decimal(25, 4))) as maybe_dec,
              cast(null as int) as nothing
            from range(0, 50000, 1, 3)
            """)
        .write()
        .parquet(folder.resolve("t").toString());
    spark.read().parquet(folder.resolve("t").toString()).createOrReplaceTempView("t");
    spark
        .read()
        .parquet(folder.resolve("t").toString())
        .where("id < 0")
        .limit(0)
        .write()
        .parquet(folder.resolve("empty").toString());
    spark.read().parquet(folder.resolve("empty").toString()).createOrReplaceTempView("empty");
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(l), count(*), avg(d), min(day), max(day) from t where d is not null",
        "select sum(i), sum(s), sum(b), sum(f), avg(i), avg(l), min(s), max(b), min(f) from t",
        "select flag, count(*), sum(dec9), avg(dec9), min(dec9), max(dec9) from t group by flag",
        "select i, sum(dec_mid), avg(dec_mid), sum(dec18), avg(dec18) from t group by i",
        "select s, sum(dec30), avg(dec30), min(dec30), max(dec30) from t group by s",
        "select short_text, count(maybe_text), sum(maybe_long), avg(maybe_dec) from t"
            + " group by short_text",
        "select long_text, short_text, i, count(*), max(d) from t group by 1, 2, 3",
        "select day, count(*), min(ts), max(ts) from t group by day",
        "select maybe_text, maybe_long, maybe_dec, count(*), count(nothing) from t group by 1, 2, 3",
        "select bin, count(*) from t group by bin",
        "select d, count(*) from t group by d",
        "select f, dec30, count(*) from t where f > 3 group by f, dec30",
        "select ts, nothing, count(*), sum(nothing), min(nothing) from t group by ts, nothing",
        "select distinct short_text, i from t",
        "select sum(l * 3 - i), sum(d * f), sum(dec9 * (1 - dec9)), count(if(flag, 1, null)) from t",
        "select id, l + i, d / f, i = 3 or flag, maybe_long is null from t where i in (1, 5, 7)",
        "select * from t where id >= 100 and long_text > 'a rather long text that does not"
            + " fit into a slot 5' and day < date'1995-06-01'",
        "select * from t where maybe_text <=> null or maybe_dec > 990.5",
        "select coalesce(maybe_long, id), case when i > 50 then 'big' when i > 20 then short_text"
            + " end from t where short_text like 'k1%'",
        "select sum(id), count(*), avg(dec18), min(day) from empty",
        "select i, sum(id), count(*) from empty group by i",
        "select count(*) from t",
        "select count(distinct i), count(distinct long_text) from t",
        "select i, count(distinct short_text) from t group by i",
        "select i, sum(x) from (select i, sum(l) as x from t group by i, s) group by i having"
            + " sum(x) > 5",
        "select t.i, sum(u.n) from t join (select i, count(*) as n from t group by i) u"
            + " on t.i = u.i group by t.i"
      })
  void shouldEqualSparkWhenReadingParquet(String sql) {
    session.assertSameAsSpark(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select i, sum(l), avg(d), min(long_text), max(short_text) from t group by i",
        "select min(maybe_text), max(long_text), max(bin) from t",
        "select short_text, min(maybe_text), count(*) from t group by short_text"
      })
  void shouldEqualSparkWhenMinimaOfStringsAreAsked(String sql) {
    session.assertSameAsSpark(sql);
  }

  @Test
  void shouldEqualSparkWhenAdaptiveExecutionIsOff() {
    session.spark().conf().set("spark.sql.adaptive.enabled", "false");
    try {
      session.assertSameAsSpark(
          "select i, s, sum(dec18), count(*) from t where flag group by i, s");
      session.assertSameAsSpark("select id, l * 2 from t where flag");
    } finally {
      session.spark().conf().unset("spark.sql.adaptive.enabled");
    }
  }

  @Test
  void shouldEqualSparkWhenTheReadersVectorsAreOffHeap() {
    session.spark().conf().set("spark.sql.columnVector.offheap.enabled", "true");
    try {
      session.assertSameAsSpark(
          "select i, s, sum(dec18), count(*) from t where flag group by i, s");
      session.assertSameAsSpark("select * from t where i < 20");
    } finally {
      session.spark().conf().unset("spark.sql.columnVector.offheap.enabled");
    }
  }

  @Test
  void shouldEqualSparkWhenPagesHaveNoDictionaries() {
    String plain = folder.resolve("plain").toString();
    session.spark().table("t").write().option("parquet.enable.dictionary", "false").parquet(plain);
    session.spark().read().parquet(plain).createOrReplaceTempView("plain");
    session.assertSameAsSpark("select * from plain where i < 20");
    session.assertSameAsSpark("select long_text, maybe_text, sum(dec30) from plain group by 1, 2");
  }

  @Test
  void shouldEqualSparkWhenTheColumnsArePartitionValues() {
    String parts = folder.resolve("parts").toString();
    session.spark().table("t").write().partitionBy("b", "short_text").parquet(parts);
    session.spark().read().parquet(parts).createOrReplaceTempView("parts");
    session.assertSameAsSpark("select b, short_text, sum(l), max(i) from parts group by 1, 2");
  }

  @Test
  void shouldEqualSparkWhenTheInputIsRows() {
    session.assertSameAsSpark(
        "select id % 100, sum(id), avg(id), max(cast(id as string) || 'x') is null, count(*)"
            + " from range(0, 20000, 1, 3) group by id % 100");
  }

  /** Tasks of no SQL query know no settings of the session. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, date_format(ts, 'u') from t where i < 20",
        "select id, cast(date_add(day, 3000000) as string) from t where i < 20"
      })
  void shouldEqualSparkInAnRddWhenFormatsAreThoseBeforeSparkThree(String sql) {
    SparkSession spark = session.spark();
    spark.conf().set("spark.sql.legacy.timeParserPolicy", "LEGACY");
    try {
      spark.conf().set("spark.spillway.enabled", "false");
      List<Row> expected = spark.sql(sql).toJavaRDD().collect();
      spark.conf().set("spark.spillway.enabled", "true");
      assertThat(spark.sql(sql).toJavaRDD().collect())
          .containsExactlyInAnyOrderElementsOf(expected);
      session.assertSameAsSpark(sql);
    } finally {
      spark.conf().set("spark.spillway.enabled", "true");
      spark.conf().unset("spark.sql.legacy.timeParserPolicy");
    }
  }

  @Test
  void shouldStayUsableWhenASessionSettingIsWrong() {
    SparkSession spark = session.spark();
    spark.sql("set spark.spillway.operator.hashAggregate.enabled=maybe");
    try {
      assertThat(spark.sql("select count(*) from t").collectAsList().get(0).getLong(0))
          .isEqualTo(50_000);
    } finally {
      spark.sql("reset spark.spillway.operator.hashAggregate.enabled");
    }
    session.assertSameAsSpark("select i, count(*) from t group by i");
  }
}
