package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.codahale.metrics.MetricRegistry;
import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.guard.GuardStatus.Phase;
import io.spillway.plan.Explain;
import io.spillway.plan.PlanFigures;
import io.spillway.plan.PlanSettings;
import io.spillway.plan.SpillwayCachedBatchSerializer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plugin as users give it, in a local application. */
class PluginSessionTest {
  private static final String QUERY =
      "select k, sum(id) from (select id, id % 3 as k from range(1000)) group by k";

  private SparkSession spark;

  @AfterEach
  void stop() {
    LocalApplication.stop(spark);
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

    assertThat(nativeOperators(spark.sql(QUERY))).isEqualTo(5);

    assertThat(UserExtensions.APPLIED).hasValue(1);
    assertThat(spark.sparkContext().getConf().get("spark.sql.extensions"))
        .endsWith(PlanSettings.EXTENSIONS)
        .endsWith(SpillwayExtensions.class.getName());
    assertThat(RecordingPlugin.STARTED_TASKS).hasPositiveValue();
    assertThat(spark.sparkContext().getConf().get("spark.sql.queryExecutionListeners"))
        .endsWith(QuerySummaryListener.class.getName());
    Awaitility.await("the user's listener hears of the query")
        .untilAsserted(() -> assertThat(UserExtensions.Listener.HEARD).hasPositiveValue());
  }

  @Test
  void shouldCacheFramesInColumnsWhenTheUserHasSetNoSerializer() {
    start(withMemory());

    assertThat(cacheSerializer()).isInstanceOf(SpillwayCachedBatchSerializer.class);
    assertThat(explainOfACachedFrame()).contains("JVM         InMemoryTableScan\n");

    // The next application of this JVM has its own.
    stop();
    start(Map.of());
    assertThat(cacheSerializer()).isInstanceOf(DefaultCachedBatchSerializer.class);
  }

  @Test
  void shouldKeepTheUsersCacheSerializerAndSayWhatToSetWhenThereIsOne() {
    Map<String, String> settings = new TreeMap<>(withMemory());
    settings.put(
        "spark.sql.cache.serializer",
        "org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer");
    start(settings);

    assertThat(cacheSerializer()).isInstanceOf(DefaultCachedBatchSerializer.class);
    assertThat(explainOfACachedFrame())
        .contains(
            "(cached by org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer: to"
                + " cache frames in columns leave spark.sql.cache.serializer unset before the"
                + " application starts, or set it to"
                + " io.spillway.plan.SpillwayCachedBatchSerializer)");
  }

  @Test
  void shouldCacheFramesAsSparkDoesWhenThereIsNoOffHeapMemory() {
    start(
        Map.of(
            "spark.plugins",
            "io.spillway.SpillwayPlugin",
            "spark.sql.cache.serializer",
            SpillwayCachedBatchSerializer.class.getName()));

    assertThat(cacheSerializer()).isInstanceOf(SpillwayCachedBatchSerializer.class);
    Dataset<Row> frame = spark.range(10).selectExpr("cast(id as string) as text").cache();
    assertThat(frame.collectAsList()).hasSize(10);
    assertThat(nativeOperators(frame.groupBy("text").count())).isZero();
  }

  @Test
  void shouldCacheFramesInColumnsWhenTheSessionsBuilderNamesExtensions() {
    Map<String, String> settings = new TreeMap<>(withMemory());
    settings.put("spark.sql.extensions", "io.spillway.plugin.UserExtensions");
    start(settings);

    assertThat(explainOfACachedFrame()).contains("JVM         InMemoryTableScan\n");
  }

  @Test
  void shouldLogItsLineWhenAQueryFailedBeforeItWasAnalysed() throws Exception {
    start(withMemory());
    QueryExecution query =
        spark
            .sessionState()
            .executePlan(
                spark.sessionState().sqlParser().parsePlan("select nothing from range(1)"),
                CommandExecutionMode.SKIP());
    assertThat(catchThrowable(query::executedPlan)).isInstanceOf(AnalysisException.class);

    assertThatCode(
            () ->
                new QuerySummaryListener()
                    .onFailure("collect", query, new IllegalStateException("as the user sees it")))
        .doesNotThrowAnyException();
  }

  /** What a frame is cached with. */
  private Object cacheSerializer() {
    return scan(spark.range(10).cache()).relation().cacheBuilder().serializer();
  }

  private String explainOfACachedFrame() {
    Dataset<Row> frame = spark.range(10).selectExpr("cast(id as string) as text").cache();
    return Explain.of(frame.groupBy("text").count());
  }

  private static InMemoryTableScanExec scan(Dataset<?> frame) {
    SparkPlan plan = frame.queryExecution().executedPlan();
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      plan = adaptive.executedPlan();
    }
    return (InMemoryTableScanExec) plan;
  }

  @Test
  void shouldBeSwitchedWhenTheSessionIsRunning() {
    start(withMemory());

    spark.sql("set spark.spillway.enabled=false");
    assertThat(nativeOperators(spark.sql(QUERY))).isZero();
    spark.sql("set spark.spillway.enabled=true");
    assertThat(nativeOperators(spark.sql(QUERY))).isEqualTo(5);
    assertThat(nativeOperators(spark.newSession().sql(QUERY))).isEqualTo(5);
  }

  @ParameterizedTest(name = "{0}, adaptive: {1}")
  @CsvSource({
    "'',true",
    "spark.memory.offHeap.size=64m,true",
    "spark.memory.offHeap.enabled=false,false"
  })
  void shouldSayWhatToSetInOneSentenceAndStayOnTheJvmWhenThereIsNoOffHeapMemory(
      String setting, boolean adaptive) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.plugins", "io.spillway.SpillwayPlugin");
    settings.put("spark.sql.adaptive.enabled", Boolean.toString(adaptive));
    if (!setting.isEmpty()) {
      String[] pair = setting.split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    try (LogLines log = LogLines.of("io.spillway")) {
      start(settings);

      assertThat(nativeOperators(spark.sql(QUERY))).isZero();
      assertThat(nativeOperators(spark.sql("select id * 2 from range(100) where id > 50")))
          .isZero();
      assertThat(spark.sql(QUERY).collectAsList())
          .containsExactlyInAnyOrder(
              RowFactory.create(0L, 166_833L),
              RowFactory.create(1L, 166_167L),
              RowFactory.create(2L, 166_500L));

      String now = "(now " + (setting.contains("size") ? "64m" : "0") + ")";
      assertThat(log.warnings())
          .containsExactly(
              "Spillway is off and everything stays on the JVM: its memory is Spark's off-heap"
                  + " memory: set spark.memory.offHeap.enabled=true (now false) and"
                  + " spark.memory.offHeap.size to a size above 0 "
                  + now);
    }
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
    ExecutorMemory inside = ExecutorMemory.installed().orElseThrow();

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
              assertThat(report.guard()).isEqualTo(inside.guardStatus());
              assertThat(report.guard().residentBytes())
                  .satisfiesAnyOf(
                      bytes -> assertThat(bytes).isGreaterThan(report.peakBytes()),
                      bytes -> assertThat(report.guard().phase()).isEqualTo(Phase.OFF));
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
    spark = LocalApplication.start("local[2]", settings);
  }
}
