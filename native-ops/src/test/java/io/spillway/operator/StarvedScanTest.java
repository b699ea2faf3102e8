package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans, filters and transitions in too little memory, and read by threads that are not the task's.
 */
class StarvedScanTest {
  @TempDir Path folder;

  @Test
  void shouldEqualSparkWhenStringsSuddenlyGetLong() {
    try (TestSession session = TestSession.open(1, "4m", Map.of())) {
      SparkSession spark = session.spark();
      String path = folder.resolve("growing").toString();
      spark
          .sql(
              "select id, id % 7 as k, concat(id, repeat('x', case when id < 3000 then 6 when id <"
                  + " 6000 then 2000 else 16 end)) as t from range(0, 9000, 1, 1)")
          .write()
          .option("parquet.enable.dictionary", "false")
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("g");
      session.assertSameAsSpark("select id, t from g where k <> 3");
      session.assertSameAsSpark("select k, max(t), count(*) from g group by k");
      session.assertSameAsSpark("select t, count(*) from g group by t");
    }
  }

  @Test
  void shouldGiveMemoryBackWhenATaskReadsManyInputs() {
    Map<String, String> smallSplits =
        Map.of("spark.sql.files.maxPartitionBytes", "2k", "spark.sql.files.openCostInBytes", "2k");
    try (TestSession session = TestSession.open(1, "4m", smallSplits)) {
      SparkSession spark = session.spark();
      String path = folder.resolve("many").toString();
      spark
          .sql("select id, id % 13 as v, concat('text ', id) as t from range(0, 20000, 1, 100)")
          .write()
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("m");
      Dataset<Row> query =
          spark.sql("select id, v, t from m where v > 10 and t > 'text'").coalesce(1);
      assertThat(query.selectExpr("count(t)").collectAsList().get(0).getLong(0)).isEqualTo(3076);
      assertThat(query.queryExecution().executedPlan().toString()).contains("SpillwayFilter");
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldCountTheReadersOffHeapVectorsAsMemoryOfTheOperatorThatReadsThem() {
    long onHeap = peakOfAScan(false);
    long offHeap = peakOfAScan(true);

    // 4096 rows (the reader's batch) of a long and its null byte, and of a string's length, offset
    // and null byte; the bytes of the strings come on top.
    assertThat(offHeap - onHeap).isGreaterThan(4096 * (9 + 9));
  }

  private long peakOfAScan(boolean offHeapVectors) {
    Map<String, String> settings =
        Map.of("spark.sql.columnVector.offheap.enabled", Boolean.toString(offHeapVectors));
    try (TestSession session = TestSession.open(1, "64m", settings)) {
      SparkSession spark = session.spark();
      String path = folder.resolve("vectors" + offHeapVectors).toString();
      spark
          .sql("select id, concat('text ', id) as t from range(0, 20000, 1, 1)")
          .write()
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("v");
      session.assertSameAsSpark("select id, t from v where id >= 5000");
      Dataset<Row> query = spark.sql("select id, t from v where id >= 5000");
      assertThat(query.collectAsList()).hasSize(15000);
      session.assertNothingLeft();
      SparkPlan node = query.queryExecution().executedPlan();
      while (!(node instanceof NativeFilterExec)) {
        node = node.children().apply(0);
      }
      return node.metrics().apply(NativeOperator.PEAK_NATIVE_BYTES).value();
    }
  }

  @Test
  void shouldLiveWhenAnotherThreadReadsTheRowsOfATaskThatHasEnded() {
    try (TestSession session = TestSession.open(2, "64m", Map.of())) {
      SparkSession spark = session.spark();
      String path = folder.resolve("piped").toString();
      spark
          .sql(
              "select id as k, concat('a value that lies outside of its slot ', id) as v"
                  + " from range(0, 20000, 1, 2)")
          .write()
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("kv");
      for (int round = 0; round < 15; round++) {
        assertThat(
                spark
                    .sql("select k, v from kv where v > 'a'")
                    .toJavaRDD()
                    .map(row -> row.getLong(0) + row.getString(1))
                    .pipe("cat")
                    .take(1))
            .hasSize(1);
        assertThat(
                spark
                    .sql(
                        "select transform(k, v) using 'cat' as (a, b) from kv where v > 'a' limit 3")
                    .collectAsList())
            .hasSize(3);
      }
      session.assertNothingLeft();
    }
  }
}
