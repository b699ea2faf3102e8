package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits, and the first rows in order, against Spark's own. */
class LimitTest {
  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "1m", Map.of());
    write(
        "t",
        "select id, if(id % 7 = 0, null, id % 100) as k, concat('a text that is long: ', id % 1000)"
            + " as t from range(0, 60000, 1, 3)");
    write("one", "select id, id * 2 as v, concat('text ', id) as t from range(0, 9000, 1, 1)");
  }

  private static void write(String name, String sql) {
    SparkSession spark = session.spark();
    String path = folder.resolve(name).toString();
    spark.sql(sql).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "SpillwayTopN|select id, t from t order by k desc, id limit 10",
        "SpillwayTopN|select * from t order by t, id desc limit 5 offset 3",
        "SpillwayTopN|select id + 1, k from t where id > 30 order by k nulls last, -id limit 2000",
        "SpillwayTopN|select * from t order by id limit 50000",
        "SpillwayTopN|select sum(id), count(k) from (select * from t order by t, id limit 777)",
        "SpillwayTopN|select * from t where id < 0 order by id limit 3",
        "SpillwayLimit|select count(*) from (select id from t limit 30000)",
        "SpillwayLimit|select count(*), count(k) from (select k from t where k is null limit 50)",
        "SpillwayLimit|select count(*) from (select * from t limit 1000 offset 900)",
        "SpillwayLimit|select sum(v), min(id), max(id), count(t) from (select * from (select * from"
            + " one sort by id desc) limit 5000 offset 1234)",
        "SpillwayLimit|select count(*) from (select * from one limit 100 offset 8950)",
      })
  void shouldEqualSparkWithAdaptiveExecutionAndWithout(String operator, String sql) {
    SparkSession spark = session.spark();
    for (String aqe : List.of("true", "false")) {
      spark.sql("set spark.sql.adaptive.enabled=" + aqe);
      spark.sql("set spark.spillway.enabled=false");
      List<Row> expected = spark.sql(sql).collectAsList();
      spark.sql("set spark.spillway.enabled=true");
      Dataset<Row> query = spark.sql(sql);
      List<Row> actual = query.collectAsList();
      assertThat(query.queryExecution().executedPlan().toString())
          .as("the plan of: %s, AQE %s", sql, aqe)
          .contains(operator);
      assertThat(actual).as("rows of: %s, AQE %s", sql, aqe).isEqualTo(expected);
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldWriteNoMoreThanComesOutWhenTheLimitIsSmall() {
    long before = ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes();

    List<Row> first =
        session.spark().sql("select * from t order by id desc limit 20").collectAsList();

    assertThat(first).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(first.get(i).getLong(0)).isEqualTo(59_999 - i);
    }
    long spilled = ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes() - before;
    // 60,000 rows of about 90 bytes do not fit; of each run 20 rows are written.
    assertThat(spilled).isPositive().isLessThan(500_000);
    session.assertNothingLeft();
  }
}
