package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.PlanFigures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.JavaConverters;
import scala.math.BigInt;

/** Cached frames: what is read is what was cached, in whatever form it is kept. */
class CachedFrameTest {
  private static final String AQE = "spark.sql.adaptive.enabled";
  private static final String ENABLED = "spark.spillway.enabled";
  private static final String CACHE = "spark.spillway.operator.cache.enabled";
  private static final int ROWS = 3000;

  private static final String ALL_TYPES =
      """
      select id,
        if(id %% 7 = 0, null, id %% 3 = 0) as truth,
        if(id %% 11 = 0, null, cast(id %% 256 - 128 as tinyint)) as tiny,
        if(id %% 5 = 0, null, cast(id * 13 %% 65536 - 32768 as smallint)) as small,
        case when id = 5 then -2147483648 when id = 6 then 2147483647 else cast(id as int) end as i,
        case when id = 5 then -9223372036854775808L when id = 6 then 9223372036854775807L
          when id %% 13 = 0 then null else id * 7919 end as l,
        case when id %% 17 = 0 then float('NaN') when id %% 19 = 0 then -0.0F
          when id %% 23 = 0 then float('-Infinity') else cast(id / 3.0 as float) end as f,
        case when id %% 17 = 0 then double('NaN') when id %% 19 = 0 then -0.0D
          when id %% 29 = 0 then null else id / 7.0D end as d,
        if(id %% 31 = 0, null, cast(id %% 1000 / 100.0 as decimal(5, 2))) as dec5,
        cast(id * 1000003 as decimal(18, 4)) as dec18,
        if(id %% 37 = 0, null, cast(id - 1500 as decimal(38, 6)) * 123456789012345678) as dec38,
        if(id %% 3 = 0, null, concat('s', id %% 50)) as short_text,
        if(id %% 41 = 0, '', concat('a text that does not fit into a slot, number ', id)) as long_text,
        if(id %% 43 = 0, null, cast(concat('bytes ', id, ' of a binary value') as binary)) as bin,
        date_add(date '1969-12-01', cast(id as int)) as day,
        if(id %% 47 = 0, null, timestamp_micros(id * 1234567890123)) as ts,
        cast(timestamp_micros(id * 987654321) as timestamp_ntz) as ntz,
        cast(null as int) as nothing
      from range(0, %d, 1, 3)
      """
          .formatted(ROWS);

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "64m", Map.of());
    spark().sql(ALL_TYPES).write().parquet(folder.resolve("types").toString());
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @AfterEach
  void uncache() {
    spark().catalog().clearCache();
    session.assertNothingLeft();
  }

  private static SparkSession spark() {
    return session.spark();
  }

  /** The frame of all types: read from a file in columns, or made of rows. */
  private static Dataset<Row> source(boolean columns) {
    return columns ? spark().read().parquet(folder.resolve("types").toString()) : rows();
  }

  private static Dataset<Row> rows() {
    return spark().sql(ALL_TYPES);
  }

  private static <T> T with(String key, String value, Supplier<T> action) {
    spark().conf().set(key, value);
    try {
      return action.get();
    } finally {
      spark().conf().unset(key);
    }
  }

  private static List<String> plain(String sql, Dataset<Row> source) {
    source.createOrReplaceTempView("frame");
    return with(ENABLED, "false", () -> rows(spark().sql(sql)));
  }

  private static List<String> rows(Dataset<Row> frame) {
    return frame.collectAsList().stream().map(CachedFrameTest::text).sorted().toList();
  }

  private static String text(Row row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      values.add(value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value));
    }
    return values.toString();
  }

  private static void cache(Dataset<Row> frame, StorageLevel level) {
    frame.persist(level);
    frame.createOrReplaceTempView("frame");
    frame.count();
  }

  private static List<RDDInfo> cached() {
    return List.of(spark().sparkContext().getRDDStorageInfo());
  }

  private static InMemoryTableScanExec scan(Dataset<Row> query) {
    List<InMemoryTableScanExec> found = new ArrayList<>();
    collect(query.queryExecution().executedPlan(), found);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static void collect(SparkPlan plan, List<InMemoryTableScanExec> found) {
    if (plan instanceof InMemoryTableScanExec scan) {
      found.add(scan);
    } else if (plan instanceof AdaptiveSparkPlanExec aqe) {
      collect(aqe.executedPlan(), found);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), found);
    } else {
      JavaConverters.seqAsJavaList(plan.children()).forEach(child -> collect(child, found));
    }
  }

  private static final String AGGREGATE =
      "select small % 10 as k, count(*), count(truth), min(tiny), max(i), sum(l), min(dec5), sum(dec18),"
          + " max(dec38), min(short_text), max(long_text), max(day), min(ts), max(ntz), max(d),"
          + " count(nothing), min(f) from frame where id % 10 < 8 group by small % 10";

  @ParameterizedTest(name = "{0}, first {1}")
  @CsvSource({ENABLED + ",true", ENABLED + ",false", CACHE + ",true", CACHE + ",false"})
  void shouldGiveBackWhatWasCachedWhenASwitchChangesBeforeItIsComputed(String key, boolean first) {
    List<String> all = plain("select * from frame", source(true));
    Dataset<Row> frame = source(true);
    with(key, Boolean.toString(first), frame::persist);
    frame.createOrReplaceTempView("frame");

    assertThat(with(key, Boolean.toString(!first), frame::count)).isEqualTo(ROWS);

    for (boolean now : new boolean[] {first, !first}) {
      with(
          key,
          Boolean.toString(now),
          () -> {
            assertThat(frame.count()).isEqualTo(ROWS);
            assertThat(rows(spark().sql("select * from frame"))).isEqualTo(all);
            return null;
          });
    }
  }

  @ParameterizedTest(name = "from columns: {0}, AQE {1}")
  @CsvSource({"true,true", "false,true", "true,false", "false,false"})
  void shouldGiveBackWhatWasCachedWhenColumnsAreOfAllTypes(boolean columns, String aqe) {
    with(
        AQE,
        aqe,
        () -> {
          List<String> all = plain("select * from frame", source(columns));
          List<String> some = plain("select long_text, id from frame where dec38 > 0", rows());
          List<String> groups = plain(AGGREGATE, source(columns));
          cache(source(columns), StorageLevel.MEMORY_AND_DISK());

          assertThat(rows(spark().sql("select * from frame"))).isEqualTo(all);
          assertThat(rows(spark().sql("select long_text, id from frame where dec38 > 0")))
              .isEqualTo(some);
          Dataset<Row> query = spark().sql(AGGREGATE);
          assertThat(rows(query)).isEqualTo(groups);
          assertThat(scan(query).supportsColumnar()).isTrue();
          assertThat(rows(spark().sql("select count(*) from frame")))
              .containsExactly("[" + ROWS + "]");
          // The same by rows, as a session reads it that wants nothing native.
          with(
              ENABLED,
              "false",
              () -> {
                assertThat(rows(spark().sql("select * from frame"))).isEqualTo(all);
                assertThat(rows(spark().sql(AGGREGATE))).isEqualTo(groups);
                return null;
              });
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MEMORY_ONLY",
        "MEMORY_AND_DISK",
        "MEMORY_ONLY_SER",
        "MEMORY_AND_DISK_SER",
        "DISK_ONLY",
        "OFF_HEAP",
        "MEMORY_ONLY_2"
      })
  void shouldKeepTheFrameWhenStoredInAnyWay(String level) {
    List<String> groups = plain(AGGREGATE, source(true));
    cache(source(true), StorageLevel.fromString(level));

    assertThat(cached())
        .singleElement()
        .satisfies(
            info -> {
              assertThat(info.numCachedPartitions()).isEqualTo(info.numPartitions());
              assertThat(info.memSize() + info.diskSize()).isPositive();
            });
    assertThat(rows(spark().sql(AGGREGATE))).isEqualTo(groups);
  }

  @Test
  void shouldCompressUnlessToldNotTo() {
    cache(source(true), StorageLevel.MEMORY_ONLY());
    long compressed = cached().get(0).memSize();
    uncache();
    with(
        "spark.sql.inMemoryColumnarStorage.compressed",
        "false",
        () -> {
          List<String> groups = plain(AGGREGATE, source(true));
          cache(source(true), StorageLevel.MEMORY_ONLY());
          assertThat(compressed).isLessThan(cached().get(0).memSize());
          assertThat(rows(spark().sql(AGGREGATE))).isEqualTo(groups);
          return null;
        });
  }

  @Test
  void shouldCountBytesAsSparkDoesWhenItPlansWithThem() {
    cache(source(true), StorageLevel.MEMORY_ONLY());
    BigInt ours = scan(spark().sql("select i from frame")).relation().computeStats().sizeInBytes();
    uncache();
    with(
        CACHE,
        "false",
        () -> {
          cache(source(true), StorageLevel.MEMORY_ONLY());
          assertThat(ours)
              .isEqualTo(
                  scan(spark().sql("select i from frame")).relation().computeStats().sizeInBytes());
          return null;
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id < 50 | true",
        "id in (17, 18, 2900) | true",
        "id between 1000 and 1010 | true",
        "i >= 2990 and i < 2147483647 | true",
        "day = date '1969-12-05' | true",
        "ts < timestamp_micros(1234567890123 * 40) | true",
        "dec18 > 2995000000 | true",
        "dec38 < cast(-1490 as decimal(38, 6)) * 123456789012345678 | true",
        "sorted = 'text 000042, long enough for no slot' | true",
        "sorted like 'text 0029%' | true",
        "d > 400 | false",
        "f = float('NaN') | false",
        "nothing is null | false",
        "nothing > 5 | true",
        "bin > cast('bytes 9' as binary) | false",
        "truth | false",
      })
  void shouldLeaveOutBatchesWhenNoRowCanMeetTheCondition(String condition, boolean pruned) {
    Dataset<Row> frame =
        spark()
            .sql(
                "select *, concat('text ', lpad(id, 6, '0'), ', long enough for no slot') as sorted"
                    + " from ("
                    + ALL_TYPES
                    + ")");
    String sql = "select id, i, sorted from frame where " + condition;
    List<String> expected = plain(sql, frame);
    cache(frame, StorageLevel.MEMORY_ONLY());

    Dataset<Row> query = spark().sql(sql);
    assertThat(rows(query)).as(condition).isEqualTo(expected);
    long read = scan(query).metrics().apply("numOutputRows").value();
    // Partitions are a third of the rows each, in the order of the ids.
    assertThat(read).as("rows read").isEqualTo(pruned ? Math.min(read, ROWS - ROWS / 3) : ROWS);
  }

  @Test
  void shouldReadOnlyThePartsOfTheFrameThatAreThereAndComputeTheOthersAgain() {
    List<String> groups = plain(AGGREGATE, source(true));
    cache(source(true), StorageLevel.MEMORY_ONLY());
    int rdd = cached().get(0).id();
    SparkEnv.get().blockManager().removeBlock(new RDDBlockId(rdd, 0), true);
    // Told on another thread.
    await("the block is gone")
        .until(() -> cached().get(0).numCachedPartitions() < cached().get(0).numPartitions());

    assertThat(rows(spark().sql(AGGREGATE))).isEqualTo(groups);
    await("it is there again")
        .until(() -> cached().get(0).numCachedPartitions() == cached().get(0).numPartitions());
  }

  @Test
  void shouldForgetTheFrameWhenItIsUncached() {
    Dataset<Row> frame = source(true);
    cache(frame, StorageLevel.MEMORY_ONLY());
    frame.unpersist(true);

    assertThat(cached()).isEmpty();
    assertThat(rows(spark().sql(AGGREGATE))).isEqualTo(plain(AGGREGATE, source(true)));
  }

  @Test
  void shouldReadEachFrameAsItWasCachedWhenTheSwitchChangesInBetween() {
    List<String> groups = plain(AGGREGATE, source(true));
    with(
        CACHE,
        "false",
        () -> {
          cache(source(true), StorageLevel.MEMORY_ONLY());
          Dataset<Row> query = spark().sql(AGGREGATE);
          assertThat(rows(query)).isEqualTo(groups);
          assertThat(scan(query).supportsColumnar()).isFalse();
          return null;
        });
    // Kept by Spark, read in columns.
    Dataset<Row> query = spark().sql(AGGREGATE);
    assertThat(rows(query)).isEqualTo(groups);
    assertThat(scan(query).supportsColumnar()).isTrue();
    uncache();

    cache(source(true), StorageLevel.MEMORY_ONLY());
    with(
        CACHE,
        "false",
        () -> {
          assertThat(rows(spark().sql(AGGREGATE))).isEqualTo(groups);
          assertThat(rows(spark().sql("select i from frame where i > 2990")))
              .isEqualTo(plain("select i from frame where i > 2990", source(true)));
          return null;
        });
  }

  @Test
  void shouldKeepAFrameAsSparkDoesWhenAColumnHasNoNativeForm() {
    Dataset<Row> frame = spark().sql("select id, array(id, id + 1) as pair from range(1000)");
    List<String> expected = rows(frame);
    cache(frame, StorageLevel.MEMORY_ONLY());

    assertThat(rows(spark().sql("select id, pair from frame"))).isEqualTo(expected);
    assertThat(rows(spark().sql("select sum(id), sum(pair[1]) from frame")))
        .containsExactly("[499500, 500500]");
  }

  @Test
  void shouldTellFramesOfBothFormsApartWhenOneIsMadeOfTheOther() {
    // No views: replacing one uncaches what was made of it.
    Dataset<Row> inner = source(true).persist(StorageLevel.MEMORY_ONLY());
    Dataset<Row> frame = inner.selectExpr("id", "array(i) as a", "short_text");
    List<String> expected = rows(frame);
    frame.persist(StorageLevel.MEMORY_ONLY()).count();
    assertThat(rows(frame.selectExpr("*"))).isEqualTo(expected);
    Dataset<Row> outer = frame.selectExpr("id", "a[0] as i", "short_text");
    expected = rows(outer);
    outer.persist(StorageLevel.MEMORY_ONLY()).count();
    assertThat(rows(outer.selectExpr("*"))).isEqualTo(expected);
    assertThat(cached()).hasSize(3);
  }

  @Test
  void shouldKeepTheOrderOfAFrameWhenItWasSorted() {
    Dataset<Row> frame = source(true).select("id", "long_text").orderBy("long_text");
    List<Row> expected = frame.collectAsList();
    cache(frame, StorageLevel.MEMORY_ONLY());

    assertThat(frame.collectAsList()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "AQE {0}")
  @ValueSource(strings = {"true", "false"})
  void shouldMakeNoRowsWhenAFrameIsMadeOfAnotherOne(String aqe) {
    with(
        AQE,
        aqe,
        () -> {
          source(true).createOrReplaceTempView("frame");
          Dataset<Row> groups = spark().sql(AGGREGATE);
          List<String> expected = with(ENABLED, "false", () -> rows(spark().sql(AGGREGATE)));
          groups.persist(StorageLevel.MEMORY_ONLY());
          groups.createOrReplaceTempView("groups");
          Dataset<Row> query = spark().sql("select k, count(*) from groups group by k");

          assertThat(rows(query)).hasSize(expected.size());
          assertThat(rows(spark().sql("select * from groups"))).isEqualTo(expected);
          // The last transition of the plan that filled the frame was passed by.
          SparkPlan filled = scan(query).relation().cachedPlan();
          SparkPlan last =
              filled instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : filled;
          assertThat(last).isInstanceOf(NativeColumnarToRowExec.class);
          assertThat(last.metrics().apply("numOutputRows").value()).isZero();
          // Only the result's own.
          assertThat(PlanFigures.of(query.queryExecution().executedPlan()).transitions())
              .as(query.queryExecution().executedPlan().toString())
              .isEqualTo(1);
          return null;
        });
  }

  @Test
  void shouldGiveAllMemoryBackWhenTheJobIsCancelledWhileItCaches() {
    Dataset<Row> frame =
        spark()
            .sql("select id, sha2(cast(id as string), 512) as text from range(0, 20000000, 1, 8)");
    frame.persist(StorageLevel.DISK_ONLY());
    CompletableFuture<Void> job =
        CompletableFuture.runAsync(
            () -> {
              spark().sparkContext().setJobGroup("caching", "to be cancelled", true);
              frame.count();
            });
    Awaitility.await("memory is in use")
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () ->
                ExecutorMemory.installed()
                    .orElseThrow()
                    .snapshot()
                    .owners()
                    .toString()
                    .contains("Cache(write)"));
    spark().sparkContext().cancelJobGroup("caching");

    assertThatThrownBy(() -> job.get(60, TimeUnit.SECONDS)).hasStackTraceContaining("cancelled");
    session.assertNothingLeft();
    frame.unpersist(true);
  }
}
