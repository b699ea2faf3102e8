package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.PlanFigures;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes out of an exchange is what Spark's own would give, row by row and partition. */
class NativeExchangeTest {
  /** A column of every type that can be exchanged, with nulls, extremes, and long strings. */
  private static final String EVERY_TYPE =
      """
      select
        id,
        if(id % 7 = 0, null, id % 2 = 0) as bool,
        cast(if(id % 5 = 0, null, id % 256 - 128) as tinyint) as i8,
        cast(if(id % 6 = 0, null, id * 37 % 65536 - 32768) as smallint) as i16,
        cast(if(id % 8 = 0, null, id * 7919) as int) as i32,
        if(id % 9 = 0, null, id * 1234567891011) as i64,
        cast(if(id % 10 = 0, null, if(id % 11 = 0, double('NaN'), id / -3.0D)) as float) as f32,
        if(id % 12 = 0, null, if(id % 13 = 0, -0.0D, id / 7.0D)) as f64,
        cast(if(id % 14 = 0, null, id / 100.0) as decimal(12, 2)) as short_decimal,
        cast(if(id % 15 = 0, null, id * -12345678901234567.89) as decimal(38, 5)) as long_decimal,
        if(id % 16 = 0, null, concat('s', id % 100)) as short_text,
        if(id % 17 = 0, null, repeat(concat('text ', id), cast(id % 9 as int))) as long_text,
        if(id % 18 = 0, null, cast(concat('b', id) as binary)) as bytes,
        if(id % 19 = 0, null, date_add(date'1970-01-01', cast(id % 40000 - 20000 as int))) as day,
        if(id % 20 = 0, null, timestamp_micros(id * 1000003)) as instant
      from range(0, %d, 1, %d)
      """;

  /** Rows pass a filter that is native, are exchanged, and grouped natively. */
  private static String everyType(int rows, int mappers) {
    return "select * from (" + EVERY_TYPE.replace("%d, 1, %d", rows + ", 1, " + mappers) + ")";
  }

  private static String grouped(int rows, int mappers) {
    return "select short_text, day, count(*) as c, min(bool) as a1, min(i8) as a2, max(i16) as a3,"
        + " sum(i32) as a4, max(i64) as a5, max(f32) as a6, min(f64) as a7, sum(short_decimal) as a8,"
        + " max(long_decimal) as a9, max(long_text) as a10, min(instant) as a12"
        + " from ("
        + everyType(rows, mappers)
        + ") group by short_text, day";
  }

  @ParameterizedTest(name = "AQE {0}, {1} partitions, {2} off-heap, {3} tasks at once")
  @CsvSource({
    "true, 7, 64m, 2",
    "false, 1, 16m, 2",
    "true, 300, 4m, 2", // more than Spark's sort-less writer takes
    "false, 20, 1m, 1",
  })
  void shouldGiveSparksResultWhenEveryTypeIsExchanged(
      String aqe, int partitions, String offHeap, int cores) {
    try (TestSession session =
        TestSession.open(
            cores,
            offHeap,
            Map.of(
                "spark.sql.adaptive.enabled",
                aqe,
                "spark.sql.shuffle.partitions",
                String.valueOf(partitions)))) {
      String sql = grouped(4_000, 3);
      assertThat(session.assertSameAsSpark(sql).queryExecution().executedPlan().toString())
          .contains("SpillwayExchange");
    }
  }

  @Test
  void shouldPutEveryRowWhereSparkPutsItWhenKeysAreOfEveryType() {
    try (TestSession session =
        TestSession.open(2, "32m", Map.of("spark.sql.adaptive.enabled", "false"))) {
      session.spark().sql(everyType(3_000, 2)).write().saveAsTable("every_type");
      try {
        for (String keys :
            new String[] {
              "bool",
              "i8, i16",
              "i32",
              "i64",
              "f32",
              "f64",
              "short_decimal",
              "long_decimal",
              "short_text",
              "long_text, bytes",
              "day",
              "instant",
              "day, short_text, f64, i8"
            }) {
          SparkPlan plan =
              session
                  .assertSameAsSpark(
                      "select spark_partition_id() as p, id, long_text, bytes from (select"
                          + " /*+ repartition(13, %s) */ * from every_type where id > 3)"
                              .formatted(keys))
                  .queryExecution()
                  .executedPlan();
          assertThat(plan.toString()).contains("SpillwayExchange");
        }
      } finally {
        session.spark().sql("drop table every_type");
      }
    }
  }

  @Test
  void shouldGiveSparksOrderWhenRowsAreExchangedByRange() {
    try (TestSession session =
        TestSession.open(2, "16m", Map.of("spark.sql.shuffle.partitions", "9"))) {
      SparkSession spark = session.spark();
      spark.sql(everyType(2_000, 3)).write().saveAsTable("to_be_sorted");
      try {
        for (String order :
            new String[] {
              "f64 desc nulls last, id",
              "f32, i8 desc, id",
              "long_text, bool desc, id",
              "long_decimal nulls last, bytes, id desc",
              "day desc, instant, id",
              "short_decimal + 1 desc, id"
            }) {
          String sql = "select id, long_text from to_be_sorted where id > 3 order by " + order;
          spark.conf().set("spark.spillway.enabled", "false");
          List<Row> expected = spark.sql(sql).collectAsList();
          spark.conf().set("spark.spillway.enabled", "true");
          Dataset<Row> query = spark.sql(sql);

          assertThat(query.collectAsList()).as(order).isEqualTo(expected);

          assertThat(query.queryExecution().executedPlan().toString())
              .contains("SpillwayExchange rangepartitioning");
          session.assertNothingLeft();
        }
      } finally {
        spark.sql("drop table to_be_sorted");
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "spark.io.compression.codec=zstd",
        "spark.shuffle.compress=false",
        "spark.io.encryption.enabled=true",
        "spark.shuffle.sort.bypassMergeThreshold=1",
        "spark.sql.columnVector.offheap.enabled=true",
      })
  void shouldGiveSparksResultWhenSparkWritesItsShuffleInAnotherWay(String setting) {
    String[] keyValue = setting.split("=", -1);
    try (TestSession session = TestSession.open(2, "16m", Map.of(keyValue[0], keyValue[1]))) {
      session.assertSameAsSpark(grouped(3_000, 3));
    }
  }

  @Test
  void shouldHaveNoTransitionBetweenPartialAndFinalAggregateWhenAqeIsOnOrOff() {
    for (String aqe : new String[] {"true", "false"}) {
      try (TestSession session =
          TestSession.open(2, "16m", Map.of("spark.sql.adaptive.enabled", aqe))) {
        Dataset<Row> query =
            session
                .spark()
                .sql("select id % 100 as k, sum(id) from range(0, 5000, 1, 3) group by 1");
        assertThat(query.collectAsList()).hasSize(100);
        PlanFigures figures = PlanFigures.of(query.queryExecution().executedPlan());
        assertThat(figures.transitions()).as("rows in, rows out; AQE %s", aqe).isEqualTo(2);
        session.assertNothingLeft();
      }
    }
  }

  @Test
  void shouldGiveTheOnlyRowWhenThereAreNoKeysAndNoRows() {
    try (TestSession session = TestSession.open(2, "16m", Map.of())) {
      session.assertSameAsSpark("select count(*), sum(id) from range(0, 1000, 1, 4)");
      session.assertSameAsSpark("select count(*), sum(id) from range(0, 1000, 1, 4) where id < 0");
      session.assertSameAsSpark(
          "select id, count(*) from range(0, 1000, 1, 4) where id < 0 group by id");
    }
  }

  @Test
  void shouldMoveStringsOfMegabytesWhenThereIsRoom() {
    try (TestSession session = TestSession.open(1, "256m", Map.of())) {
      session.assertSameAsSpark(
          "select k, length(t), md5(t) from (select id % 3 as k,"
              + " max(repeat(concat('0123456789', id), 200000)) as t"
              + " from range(0, 6, 1, 2) group by id % 3)");
    }
  }
}
