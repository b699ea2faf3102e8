package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
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
    write(
        "scattered",
        "select v, v * 2 as w, if(v % 9 = 0, null, if(v % 50 = 0, double('NaN'), v / 7.0D)) as d,"
            + " if(v % 9999 = 0, null, cast(v as int)) as i, cast(v % 200 as short) as s,"
            + " concat(lpad(v, 6, '0'), ' is the number of this') as t"
            + " from (select id * 7919 % 60000 as v from range(0, 60000, 1, 3))");
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

  @ParameterizedTest(name = "{0}: {1} to {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        // About 20 * (1 + ln(20,000 / 20)) of each of three tasks' 20,000 rows.
        "select v, w from scattered order by v limit 20|60|1500",
        "select v, w from scattered order by v desc limit 20|60|1500",
        "select v, w from scattered order by d desc nulls last, v limit 20|1000|4000",
        "select v, w from scattered order by i nulls first, v limit 20|60|1500",
        "select v, t from scattered order by t desc limit 20|60|1500",
        // Only two hundred values: of equal rows no more than are needed.
        "select s from scattered order by s limit 20|60|1500",
        "select s from scattered order by s desc nulls first limit 20|60|1500",
        // A second key may decide, so equal ones stay.
        "select s, v from scattered order by s, v limit 20|300|6000",
        // The first eight bytes of all texts are the same.
        "select v from scattered order by concat('all the same ', t) limit 20|60000|60000",
        // More than it is worth to keep the keys of, in this little memory.
        "select v from scattered order by v limit 50000|60000|60000",
      })
  void shouldStoreLittleMoreThanComesOutWhenRowsComeInNoOrder(String sql, long least, long most) {
    SparkSession spark = session.spark();
    spark.sql("set spark.sql.adaptive.enabled=false");
    spark.sql("set spark.spillway.enabled=false");
    List<Row> expected = spark.sql(sql).collectAsList();
    spark.sql("set spark.spillway.enabled=true");
    Dataset<Row> query = spark.sql(sql);

    assertThat(query.collectAsList()).isEqualTo(expected);

    SparkPlan topN = topN(query.queryExecution().executedPlan());
    assertThat(topN.metrics().apply(NativeTopNExec.STORED_ROWS).value()).isBetween(least, most);
    session.assertNothingLeft();
  }

  private static SparkPlan topN(SparkPlan plan) {
    return plan instanceof NativeTopNExec ? plan : topN(plan.children().head());
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
