package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.PlanFigures;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The plugin as users give it, in a local application. */
class PluginSessionTest {
  private static final String QUERY =
      "select k, sum(id) from (select id, id % 3 as k from range(1000)) group by k";

  private SparkSession spark;

  @AfterEach
  void stop() {
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }

  @Test
  void shouldKeepTheUsersExtensionsAndListenersWhenItAddsItsOwn() {
    UserExtensions.APPLIED.set(0);
    UserExtensions.Listener.HEARD.set(0);
    RecordingPlugin.STARTED_TASKS.set(0);
    start(
        Map.of(
            "spark.plugins",
            "io.spillway.plugin.RecordingPlugin,io.spillway.SpillwayPlugin",
            "spark.memory.offHeap.enabled",
            "true",
            "spark.memory.offHeap.size",
            "32m",
            "spark.sql.extensions",
            "io.spillway.plugin.UserExtensions",
            "spark.sql.queryExecutionListeners",
            "io.spillway.plugin.UserExtensions$Listener"));

    assertThat(nativeOperators(spark.sql(QUERY))).isEqualTo(3);

    assertThat(UserExtensions.APPLIED).hasValue(1);
    assertThat(RecordingPlugin.STARTED_TASKS).hasPositiveValue();
    assertThat(spark.sparkContext().getConf().get("spark.sql.queryExecutionListeners"))
        .endsWith(QuerySummaryListener.class.getName());
    Awaitility.await("the user's listener hears of the query")
        .untilAsserted(() -> assertThat(UserExtensions.Listener.HEARD).hasPositiveValue());
  }

  @Test
  void shouldBeSwitchedWhenTheSessionIsRunning() {
    start(withMemory());

    spark.sql("set spark.spillway.enabled=false");
    assertThat(nativeOperators(spark.sql(QUERY))).isZero();
    spark.sql("set spark.spillway.enabled=true");
    assertThat(nativeOperators(spark.sql(QUERY))).isEqualTo(3);
    assertThat(nativeOperators(spark.newSession().sql(QUERY))).isEqualTo(3);
  }

  @Test
  void shouldStayOffWhenThereIsNoOffHeapMemory() {
    start(Map.of("spark.plugins", "io.spillway.SpillwayPlugin"));

    assertThat(nativeOperators(spark.sql(QUERY))).isZero();
    assertThat(spark.sparkContext().getConf().contains("spark.sql.extensions")).isFalse();
    assertThat(ExecutorMemory.installed()).isEmpty();
  }

  @Test
  void shouldHaveTheFiguresOfNativeMemoryAmongSparksMetrics() {
    start(withMemory());
    spark.sql(QUERY).collectAsList();

    MetricRegistry registry =
        SparkEnv.get()
            .metricsSystem()
            .getSourcesByName("plugin.io.spillway.SpillwayPlugin")
            .head()
            .metricRegistry();

    assertThat(registry.getCounters()).containsKey("memory.pressure.spill_own");
    assertThat((Long) registry.getGauges().get("memory.peakBytes").getValue()).isPositive();
  }

  @Test
  void shouldHaveTheLastReportWhenTheApplicationHasStopped() {
    start(withMemory());
    spark.sql(QUERY).collectAsList();

    spark.stop();

    List<ExecutorReport> reports = ClusterMemory.latest().orElseThrow().reports();
    assertThat(reports)
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.executorId()).isEqualTo("driver");
              assertThat(report.last()).isTrue();
              assertThat(report.usedBytes()).isZero();
              assertThat(report.leakedBytes()).isZero();
              assertThat(report.peakBytes()).isPositive();
              assertThat(report.owners()).isEmpty();
            });
    assertThat(ExecutorMemory.installed()).isEmpty();
  }

  private static int nativeOperators(Dataset<Row> query) {
    query.collectAsList();
    return PlanFigures.of(query.queryExecution().executedPlan()).nativeOperators();
  }

  private static Map<String, String> withMemory() {
    return Map.of(
        "spark.plugins",
        "io.spillway.SpillwayPlugin",
        "spark.memory.offHeap.enabled",
        "true",
        "spark.memory.offHeap.size",
        "32m");
  }

  private void start(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("spark.ui.enabled", "false");
    all.put("spark.driver.host", "localhost");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.sql.shuffle.partitions", "2");
    SparkSession.Builder builder =
        SparkSession.builder().master("local[2]").appName("spillway-plugin-test");
    all.forEach(builder::config);
    spark = builder.getOrCreate();
  }
}
