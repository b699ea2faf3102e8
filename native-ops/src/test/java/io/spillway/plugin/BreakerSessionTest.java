package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spillway.plan.Explain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application whose native aggregates find no memory, because cached blocks have taken it. */
class BreakerSessionTest {
  private static final String AGGREGATE =
      "select k, sum(id), count(*) from (select id, id % 3 as k from range(0, 1000, 1, 2)) group by k"
          + " order by k";
  private static final String NATIVE = "native      SpillwayHashAggregate";
  private static final String ON_THE_JVM = "JVM         HashAggregate";
  private static final List<String> RIGHT =
      List.of("[0,166833,334]", "[1,166167,333]", "[2,166500,333]");

  /** Eight of them leave room for less than an operator with state. */
  private static final int BLOCK_BYTES = 740 << 10;

  private SparkSession spark;

  @BeforeEach
  void start() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.plugins", "io.spillway.SpillwayPlugin");
    settings.put("spark.memory.offHeap.enabled", "true");
    settings.put("spark.memory.offHeap.size", "8m");
    // What is cached need not give way to tasks.
    settings.put("spark.memory.storageFraction", "0.999");
    settings.put("spark.storage.unrollMemoryThreshold", "16384");
    // Spark's own aggregate needs half of it, and is to find that.
    settings.put("spark.spillway.memory.minOperator", "2500k");
    settings.put("spark.spillway.memory.waitAttempts", "1");
    settings.put("spark.spillway.memory.waitTotal", "20ms");
    settings.put("spark.spillway.breaker.openFor", "5s");
    spark = LocalApplication.start("local[1,2]", settings);
  }

  @AfterEach
  void stop() {
    LocalApplication.stop(spark);
  }

  @Test
  void shouldLeaveAKindOnTheJvmWhenItKeepsFailingAndTryItAgainLater() {
    assertThat(answer(spark.sql(AGGREGATE))).isEqualTo(RIGHT);
    assertThat(plan()).contains(NATIVE);
    JavaRDD<byte[]> cached = takeTheMemory();
    try (LogLines log = LogLines.of("io.spillway.plugin.KindBreakers")) {
      // Three stages have ended well.
      for (int n = 0; n < 3; n++) {
        assertThat(catchThrowable(() -> spark.sql(AGGREGATE).collectAsList()))
            .hasMessageContaining("HashAggregate");
        drain();
      }

      assertThat(log.warnings())
          .anyMatch(
              line ->
                  line.startsWith("Native hashAggregate failed in 3 of its last 6 stages")
                      && line.contains("it is tried again after 5.0 s"));
      // Whoever only looks at plans uses up no trial.
      for (int n = 0; n < 5; n++) {
        plan();
      }
      assertThat(lastReasonIn(plan())).isTrue();
      assertThat(answer(spark.sql(AGGREGATE))).isEqualTo(RIGHT);
    }

    cached.unpersist(true);
    Awaitility.await("it is tried again, and works")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(answer(spark.sql(AGGREGATE))).isEqualTo(RIGHT);
              drain();
              assertThat(plan()).contains(NATIVE).doesNotContain(ON_THE_JVM);
            });
  }

  @Test
  void shouldGoOnNativelyWhenTheBreakerIsTurnedOff() {
    spark.conf().set("spark.spillway.breaker.enabled", "false");
    JavaRDD<byte[]> cached = takeTheMemory();
    for (int n = 0; n < 5; n++) {
      assertThat(catchThrowable(() -> spark.sql(AGGREGATE).collectAsList())).isNotNull();
      drain();
    }
    assertThat(plan()).contains(NATIVE);
    cached.unpersist(true);
    assertThat(answer(spark.sql(AGGREGATE))).isEqualTo(RIGHT);
  }

  @Test
  void shouldBlameNoKindForWhatTheUsersCodeThrows() {
    spark
        .udf()
        .register(
            "broken",
            (UDF1<Long, Long>)
                id -> {
                  throw new IllegalStateException("the user's");
                },
            DataTypes.LongType);
    for (int n = 0; n < 5; n++) {
      assertThat(
              catchThrowable(
                  () ->
                      spark
                          .sql("select id % 3, sum(broken(id)) from range(10) group by id % 3")
                          .collectAsList()))
          .isNotNull();
      drain();
    }
    assertThat(plan()).contains(NATIVE);
  }

  private boolean lastReasonIn(String plan) {
    return plan.contains(ON_THE_JVM)
        && plan.contains("native hashAggregate has failed too often")
        && plan.contains("last: SpillwayHashAggregate")
        && plan.contains("SparkOutOfMemoryError");
  }

  private String plan() {
    return Explain.of(spark.sql(AGGREGATE).queryExecution().executedPlan());
  }

  private JavaRDD<byte[]> takeTheMemory() {
    SparkContext context = spark.sparkContext();
    JavaRDD<byte[]> blocks =
        new JavaSparkContext(context)
            .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
            .map(n -> new byte[BLOCK_BYTES])
            .persist(StorageLevel.OFF_HEAP());
    assertThat(blocks.count()).isEqualTo(8);
    return blocks;
  }

  private void drain() {
    try {
      spark.sparkContext().listenerBus().waitUntilEmpty(60_000);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> answer(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).toList();
  }
}
