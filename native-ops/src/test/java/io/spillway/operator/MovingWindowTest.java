package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.Explain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Window functions whose frames move with the row, against Spark's own. A seed names a table and
 * its queries; {@code -Dspillway.sql.seed=N} runs that seed alone.
 */
class MovingWindowTest {
  private static final int SEEDS = 4;
  private static final int QUERIES_PER_SEED = 5;

  /** A column, and a default of its type. */
  private static final String[][] INPUTS = {
    {"b", "cast(7 as byte)"},
    {"s", "s"},
    {"i", "-1"},
    {"l", "id"},
    {"f", "cast('NaN' as float)"},
    {"d", "d + 1"},
    {"d7", "cast(1.5 as decimal(7, 2))"},
    {"d38", "d38"},
    {"flag", "true"},
    {"day", "date'2001-02-03'"},
    {"ts", "timestamp'2001-02-03 04:05:06'"},
    {"st", "'none'"},
    {"lt", "concat('a default of more than twelve bytes for ', id)"},
    {"cast(lt as binary)", "cast(st as binary)"},
    {"i + 1", "i"}
  };

  private static final String[] OFFSETS = {
    "1", "1", "2", "7", "300", "5000", "100000", "0", "-1", "-3", "-40", "-7000"
  };

  private static final String[] AGGREGATES = {
    "count(*)",
    "count(l)",
    "count(st)",
    "sum(b)",
    "sum(i)",
    "sum(l)",
    "sum(d)",
    "sum(f)",
    "sum(d7)",
    "sum(d18)",
    "avg(i)",
    "avg(l)",
    "avg(d)",
    "avg(d7)",
    "avg(d18)",
    "min(b)",
    "max(s)",
    "min(i)",
    "max(l)",
    "min(f)",
    "max(d)",
    "min(d7)",
    "max(d38)",
    "min(flag)",
    "max(day)",
    "min(ts)",
    "first(i)",
    "last(l)",
    "first(lt)",
    "last(st)",
    "first(d38, true)",
    "last(s, true)",
    "nth_value(i, 2)",
    "nth_value(lt, 3)",
    "sum(i + 1)",
    "max(l) - min(l)"
  };

  private static final String[] BOUNDS = {
    "unbounded preceding",
    "400 preceding",
    "50 preceding",
    "3 preceding",
    "1 preceding",
    "current row",
    "1 following",
    "4 following",
    "60 following",
    "unbounded following"
  };

  private static final String[] RANGE_KEYS = {"b", "s", "i", "id", "d", "f", "day", "id div 7"};

  private static final String[] RANGES = {
    "unbounded preceding",
    "60 preceding",
    "3 preceding",
    "current row",
    "2 following",
    "40 following",
    "unbounded following"
  };

  private static final String[] SAME_IN_ANY_ORDER = {
    "count(*)", "count(st)", "sum(i)", "sum(l)", "avg(i)", "min(d38)", "max(day)", "sum(d18)"
  };

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "6m", Map.of());
  }

  @AfterAll
  static void close() {
    session.close();
  }

  static LongStream seeds() {
    Long only = Long.getLong("spillway.sql.seed");
    return only != null ? LongStream.of(only) : LongStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void shouldComeToWhatSparkComesToWhenFramesAndDataAreRandom(long seed) {
    Random random = new Random(seed);
    SparkSession spark = session.spark();
    String path = folder.resolve("t" + seed).toString();
    spark.sql(WindowTest.table(random)).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
    for (int q = 0; q < QUERIES_PER_SEED; q++) {
      String sql = query(random);
      System.out.println("MovingWindowTest: seed " + seed + ": " + sql);
      WindowTest.assertWindow(session, sql);
    }
  }

  private static String query(Random random) {
    String partition =
        switch (random.nextInt(6)) {
          case 0 -> "";
          case 1 -> "partition by id div 2";
          default -> "partition by " + WindowTest.pick(random, WindowTest.KEYS);
        };
    String direction =
        WindowTest.pick(random, new String[] {" desc", " asc nulls last", " desc nulls first", ""});
    String range = random.nextInt(3) == 0 ? WindowTest.pick(random, RANGE_KEYS) : null;
    String whole =
        partition + " order by " + WindowTest.pick(random, WindowTest.KEYS) + direction + ", id";
    List<String> columns = new ArrayList<>(List.of("id", "st"));
    int count = 1 + random.nextInt(6);
    for (int c = 0; c < count; c++) {
      String column =
          switch (random.nextInt(6)) {
            case 0, 1 -> offset(random) + " over (" + whole + ")";
            case 2 -> "sum(i) over (" + whole + ")";
            case 3 ->
                range == null
                    ? "max(lt) over (" + whole + ")"
                    : ranged(random, partition + " order by " + range + direction);
            default ->
                WindowTest.pick(random, AGGREGATES)
                    .replaceAll(
                        "(\\w+\\([^)]*\\))", "$1 over (" + whole + " " + frame(random) + ")");
          };
      columns.add(column + " as c" + c);
    }
    return "select " + String.join(", ", columns) + " from t";
  }

  /** Of what does not depend on the order of rows whose keys are equal. */
  private static String ranged(Random random, String order) {
    int lower = random.nextInt(RANGES.length - 1);
    int upper = Math.max(1, lower + random.nextInt(RANGES.length - lower));
    return WindowTest.pick(random, SAME_IN_ANY_ORDER)
        + " over ("
        + order
        + " range between "
        + RANGES[lower]
        + " and "
        + RANGES[upper]
        + ")";
  }

  private static String offset(Random random) {
    String[] input = INPUTS[random.nextInt(INPUTS.length)];
    String arguments = input[0] + ", " + WindowTest.pick(random, OFFSETS);
    return (random.nextBoolean() ? "lag(" : "lead(")
        + arguments
        + (random.nextBoolean() ? ", " + input[1] : "")
        + ")";
  }

  private static String frame(Random random) {
    int lower = random.nextInt(BOUNDS.length - 1);
    int upper = Math.max(1, lower + random.nextInt(BOUNDS.length - lower));
    return "rows between " + BOUNDS[lower] + " and " + BOUNDS[upper];
  }

  private static void numbers(String name, String columns, long rows) {
    String path = folder.resolve(name).toString();
    SparkSession spark = session.spark();
    spark.sql("select " + columns + " from range(0, " + rows + ", 1, 1)").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  @Test
  void shouldAddInSparksOrderWhenSumsOfFloatingPointNumbersCancelOut() {
    // Whatever is subtracted again, or added in another order, leaves other digits.
    numbers(
        "cancelling",
        "id, case id % 4 when 1 then 1e16 when 3 then -1e16 else id / 3D end as v",
        3000);
    for (String frame :
        List.of(
            "7 preceding and current row",
            "2 preceding and 900 following",
            "4 following and unbounded following",
            "unbounded preceding and 5 following")) {
      WindowTest.assertWindow(
          session,
          "select id, cast(sum(v) over (order by id rows between %1$s) as string), cast(avg(v) over (order by id rows between %1$s) as string) from cancelling"
              .formatted(frame));
    }
  }

  @Test
  void shouldGiveWholeBatchesWhenThereAreManySmallPartitions() {
    numbers("small", "id, id div 3 as k, concat('the text of ', id) as t", 30000);
    Dataset<Row> query =
        WindowTest.assertWindow(
            session,
            "select id, lag(t) over (partition by k order by id), lead(id, 2, -1L) over (partition"
                + " by k order by id) from small");
    assertThat(batches(query.queryExecution().executedPlan()))
        .as("batches of 10000 partitions")
        .isBetween(1L, 2500L);
  }

  @Test
  void shouldComeToNothingWhenThereAreNoRows() {
    numbers("few", "id, id as v", 10);
    WindowTest.assertWindow(
        session,
        "select id, lag(v) over (order by id), sum(v) over (order by id rows 3 preceding) from few"
            + " where id < 0");
  }

  @Test
  void shouldRunNativelyInAnsiModeWhenARowBesideHasADefault() {
    numbers("strict", "id, if(id % 4 = 0, null, id) as v", 100);
    session.spark().conf().set("spark.sql.ansi.enabled", "true");
    try {
      WindowTest.assertWindow(
          session,
          "select id, lag(v, 3, id) over (order by id), lead(v, 2, -1L) over (order by id desc)"
              + " from strict");
    } finally {
      session.spark().conf().unset("spark.sql.ansi.enabled");
    }
  }

  @Test
  void shouldReadRowsOnceMoreWhenSomeAreLargerThanAnyPage() {
    numbers("large", "id, concat(id, repeat('x', if(id % 50 = 7, 300000, 20))) as t", 400);
    WindowTest.assertWindow(
        session,
        "select id, length(lag(t, 3) over (order by id)), lead(t) over (order by id), last(t) over"
            + " (order by id rows between 5 preceding and 2 preceding) from large");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "nth_value(v, 3) over (order by id div 5)",
        "nth_value(t, 2) over (partition by v order by id rows between unbounded preceding and"
            + " unbounded following)",
        "nth_value(t, 2) over (partition by v order by id div 9)",
        "nth_value(t, 4) ignore nulls over (order by id rows between 9 preceding and 3 following)",
        "first(t) over (partition by v order by id)",
        "last(t) over (partition by v)",
        "last(t) over (order by id rows between unbounded preceding and current row)",
        "any_value(t) over (partition by v order by id)",
        "min(cast(t as binary)) over (partition by v order by id)",
        "max(t) over (order by v)",
        "first(t, true) over (order by id rows between 4 preceding and 9 following)",
        "last(t, true) over (order by id rows between 2 following and 40 following)",
        "sum(v) over (order by id range between 5 preceding and 3 following)",
        "count(t) over (order by v desc range between current row and 2 following)",
        "last(v) over (order by id div 3 range between unbounded preceding and 1 following)",
        "lag(v, 2) over (order by id) + lead(v) over (order by id)"
      })
  void shouldRunNativelyWhenAValueIsThatOfSomeRow(String function) {
    numbers("some", "id, id % 7 as v, if(id % 3 = 1, null, concat('text number ', id)) as t", 300);
    try {
      WindowTest.assertWindow(session, "select id, " + function + " as w from some");
    } finally {
      drop("some");
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("fallbacks")
  void shouldStayWithSparkAndSayWhyWhenAFrameHasNoNativeForm(String function, String reason) {
    numbers("other", "id, id % 3 as v, cast(id as string) as st", 50);
    try {
      String sql = "select id, " + function + " as w from other where id > 3";
      Dataset<Row> query = session.assertSameAsSpark(sql);
      assertThat(query.queryExecution().executedPlan().toString()).doesNotContain("SpillwayWindow");
      assertThat(Explain.of(query)).contains(reason);
    } finally {
      drop("other");
    }
  }

  static List<Arguments> fallbacks() {
    return List.of(
        Arguments.of("lag(v, 1) ignore nulls over (order by id)", "lag that ignores nulls"),
        Arguments.of(
            "max(st) over (order by id rows 3 preceding)",
            "greatest string of a window frame that moves"),
        Arguments.of(
            "sum(id) over (order by v, id range between current row and unbounded following)",
            "window frame RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"),
        Arguments.of(
            "sum(v) over (order by timestamp_seconds(id) range between interval 3 seconds preceding"
                + " and current row)",
            "window frame RANGE BETWEEN"),
        Arguments.of(
            "first(st, true) over (order by id rows between unbounded preceding and 3 following)",
            "first not-null string of a window frame that moves"),
        Arguments.of(
            "collect_list(v) over (order by id rows 3 preceding)", "window function collect_list"),
        Arguments.of(
            "sum(cast(v as decimal(30, 0))) over (order by id rows between 1 following and 2"
                + " following)",
            "sum of as many digits as a decimal(38,0) of a window frame that moves"));
  }

  /** Batches that the plan's windows handed out. */
  private static long batches(SparkPlan plan) {
    SparkPlan node =
        plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : plan;
    long sum =
        node instanceof NativeWindowExec ? node.metrics().apply("numOutputBatches").value() : 0;
    for (SparkPlan child : ScalaCollections.list(node.children())) {
      sum += batches(child);
    }
    if (node instanceof QueryStageExec stage) {
      sum += batches(stage.plan());
    }
    return sum;
  }

  private static void drop(String name) {
    session.spark().sql("drop view " + name);
    WindowTest.deleteFolder(folder, name);
  }
}
