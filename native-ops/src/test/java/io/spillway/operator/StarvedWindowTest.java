package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows whose partitions are many times what their task may have. */
class StarvedWindowTest {
  @TempDir Path folder;

  @ParameterizedTest(name = "{0} rows of {1} partition(s), {2} off-heap, least times written {3}")
  @CsvSource({"120000, 1, 1m, 1", "300000, 3, 4m, 0.5", "50000, 20000, 1m, 0"})
  void shouldBeRightWhenAPartitionDoesNotFit(
      long rows, long partitions, String offHeap, double leastTimesWritten) {
    try (TestSession session = TestSession.open(1, offHeap, Map.of())) {
      SparkSession spark = session.spark();
      String path = folder.resolve("n").toString();
      // Sorted already, so that the window is what needs memory: p, then v in pairs.
      spark
          .sql(
              "select cast(id div %d as long) as p, cast(id %% %d div 2 as long) as v, concat('text of row ', id) as t"
                      .formatted(rows / partitions, rows / partitions)
                  + " from range(0, %d, 1, 1)".formatted(rows))
          .write()
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("n");
      Dataset<Row> query =
          spark.sql(
              "select p, v, t, row_number() over (partition by p order by v) as r,"
                  + " count(*) over (partition by p order by v) as peers,"
                  + " sum(v) over (partition by p) as s from n");
      long each = rows / partitions;
      List<Long> out = query.toJavaRDD().mapPartitions(check(each)).collect();

      assertThat(query.queryExecution().executedPlan().toString()).contains("SpillwayWindow");
      long count = 0;
      long wrong = 0;
      for (int i = 0; i < out.size(); i += 2) {
        count += out.get(i);
        wrong += out.get(i + 1);
      }
      assertThat(count).isEqualTo(rows);
      assertThat(wrong).as("rows that are wrong").isZero();
      assertThat(ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes())
          .as("bytes spilled")
          .isGreaterThanOrEqualTo((long) (leastTimesWritten * rows * 60));
      session.assertNothingLeft();
    }
  }

  private static FlatMapFunction<Iterator<Row>, Long> check(long each) {
    long sum = 0;
    for (long i = 0; i < each; i++) {
      sum += i / 2;
    }
    long whole = sum;
    return rows -> {
      long count = 0;
      long wrong = 0;
      while (rows.hasNext()) {
        Row row = rows.next();
        long number = row.getInt(3) - 1L;
        long v = row.getLong(1);
        long peers = Math.min(each, 2 * v + 2);
        boolean right =
            v == number / 2
                && row.getLong(4) == peers
                && row.getLong(5) == whole
                && row.getString(2).startsWith("text of row ")
                && (Long.parseLong(row.getString(2).substring(12)) - row.getLong(0) * each) / 2
                    == v;
        wrong += right ? 0 : 1;
        count++;
      }
      return List.of(count, wrong).iterator();
    };
  }
}
