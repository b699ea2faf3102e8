package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that are cached and read in too little native memory. */
class StarvedCacheTest {
  private static final int ROWS = 60_000;

  @ParameterizedTest(name = "{0} off-heap, {1} tasks at once, adaptive: {2}")
  @CsvSource({"1m, 1, true", "2m, 4, false", "4m, 2, true"})
  void shouldCacheAndReadWhenMemoryIsShort(String offHeap, int cores, boolean adaptive) {
    Map<String, String> settings = Map.of("spark.sql.adaptive.enabled", Boolean.toString(adaptive));
    try (TestSession session = TestSession.open(cores, offHeap, settings)) {
      Dataset<Row> frame =
          session
              .spark()
              .sql(
                  """
                  select id, id %% 1000 as k, concat('a text that takes some room ', id) as t,
                    if(id %% 1000 = 7, repeat('long ', 4000), 'x') as u, id / 2.0D as d
                  from range(0, %d, 1, 4)
                  """
                      .formatted(ROWS));
      frame.persist(StorageLevel.MEMORY_AND_DISK());
      frame.createOrReplaceTempView("frame");

      Row row =
          session
              .spark()
              .sql("select count(*), sum(id), count(distinct t), sum(length(u)), sum(d) from frame")
              .collectAsList()
              .get(0);
      assertThat(row.getLong(0)).isEqualTo(ROWS);
      assertThat(row.getLong(1)).isEqualTo((long) ROWS * (ROWS - 1) / 2);
      assertThat(row.getLong(2)).isEqualTo(ROWS);
      assertThat(row.getLong(3)).isEqualTo(ROWS / 1000 * 20_000L + ROWS - ROWS / 1000);
      assertThat(row.getDouble(4)).isEqualTo(row.getLong(1) / 2.0);
      Dataset<Row> groups =
          session.spark().sql("select k, count(*), max(t), max(u) from frame group by k");
      assertThat(groups.collectAsList())
          .hasSize(1000)
          .allSatisfy(each -> assertThat(each.getLong(1)).isEqualTo(ROWS / 1000));
      session.assertNothingLeft();
      frame.unpersist(true);
    }
  }
}
