package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.Explain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All queries of TPC-H, the transactions query and the dashboard query, in much and in too little
 * memory: their results are plain Spark's, which had normal memory, and nothing is left. In every
 * build each two of the choices meet once; profile {@code soak} runs them all.
 */
class WholeQueriesIT {
  private static final String SCALE = System.getProperty("spillway.queries.scale", "0.1");
  private static final QueryCatalogue CATALOGUE =
      new QueryCatalogue(Path.of(System.getProperty("user.dir"), "target"), SCALE);

  @TempDir private static Path directory;

  /** Queries that make rows of their result alone. */
  private static final Set<String> IN_COLUMNS =
      Set.of(
          "transactions",
          "dashboard",
          "tpch-1",
          "tpch-3",
          "tpch-5",
          "tpch-9",
          "tpch-18",
          "tpch-21");

  private static final Map<String, ResultFile> ANSWERS = new LinkedHashMap<>();

  private SparkSession spark;

  /**
   * Where the queries run.
   *
   * @param offHeap Spark's off-heap memory
   * @param adaptive whether adaptive execution is on
   * @param slots tasks at once
   */
  record Setting(String offHeap, boolean adaptive, int slots) {
    @Override
    public String toString() {
      return offHeap + (adaptive ? ", adaptive, " : ", not adaptive, ") + slots + " at once";
    }
  }

  @BeforeAll
  static void answerWithPlainSpark() throws IOException {
    try (SparkSession plain = session("plain", true, 2).getOrCreate()) {
      CATALOGUE.make(plain, directory);
      for (Map.Entry<String, Function<SparkSession, Dataset<Row>>> query :
          CATALOGUE.queries().entrySet()) {
        ANSWERS.put(query.getKey(), run(query.getKey(), frame(plain, query.getValue())));
      }
    }
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  static Stream<Setting> pairs() {
    return Stream.of(
        new Setting("1g", true, 1),
        new Setting("1g", false, 4),
        new Setting("64m", true, 4),
        new Setting("64m", false, 1),
        new Setting("16m", true, 1),
        new Setting("16m", false, 4));
  }

  static Stream<Setting> rest() {
    List<Setting> all = new ArrayList<>();
    for (String offHeap : List.of("1g", "64m", "16m")) {
      for (boolean adaptive : List.of(true, false)) {
        all.add(new Setting(offHeap, adaptive, 1));
        all.add(new Setting(offHeap, adaptive, 4));
      }
    }
    all.removeAll(pairs().toList());
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldAnswerAsPlainSparkWhenEachTwoChoicesMeet(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("rest")
  void shouldAnswerAsPlainSparkInAllOtherSettings(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }

  private void assertSameAnswers(Setting setting) throws IOException {
    spark =
        session("starved", setting.adaptive(), setting.slots())
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", true)
            .config("spark.memory.offHeap.size", setting.offHeap())
            .getOrCreate();
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, Function<SparkSession, Dataset<Row>>> query :
        CATALOGUE.queries().entrySet()) {
      String name = query.getKey();
      try {
        Dataset<Row> frame = frame(spark, query.getValue());
        ResultFile result = run(name, frame);
        if (IN_COLUMNS.contains(name)) {
          rowsBetween(Explain.of(frame))
              .ifPresent(plan -> wrong.add(name + " has rows between scan and result: " + plan));
        }
        ResultComparison.difference(ANSWERS.get(name), result, false)
            .ifPresent(difference -> wrong.add(name + ": " + difference));
      } catch (Exception e) {
        // Spark throws checked exceptions that its Java signatures do not declare.
        wrong.add(name + " failed: " + e);
      }
      spark.catalog().clearCache();
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      try {
        // What tasks shared goes a little after the query's end.
        Awaitility.await()
            .atMost(20, TimeUnit.SECONDS)
            .until(() -> memory.snapshot().usedBytes() == 0 && memory.snapshot().blocks() == 0);
      } catch (ConditionTimeoutException e) {
        wrong.add(name + " left " + memory.snapshot());
      }
      long charged = SparkEnv.get().memoryManager().executionMemoryUsed();
      if (charged != 0) {
        wrong.add(name + " left " + charged + " bytes charged in Spark");
      }
    }
    assertThat(wrong).as(setting.toString()).isEmpty();
  }

  private static SparkSession.Builder session(String name, boolean adaptive, int slots) {
    return SparkSession.builder()
        .master("local[" + slots + "]")
        .appName(name)
        .config("spark.ui.enabled", false)
        .config("spark.local.dir", directory.toString())
        .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
        .config("spark.sql.shuffle.partitions", 4)
        .config("spark.sql.adaptive.enabled", adaptive)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.datetime.java8API.enabled", true);
  }

  private static Dataset<Row> frame(
      SparkSession session, Function<SparkSession, Dataset<Row>> query) {
    CATALOGUE.register(session);
    return query.apply(session);
  }

  private static ResultFile run(String name, Dataset<Row> frame) throws IOException {
    long started = System.nanoTime();
    Path file = directory.resolve(name + ".jsonl");
    ResultFile.write(file, frame.schema(), frame.collectAsList());
    System.out.printf("%-14s %6.2f s%n", name, (System.nanoTime() - started) / 1e9);
    if (Boolean.getBoolean("spillway.queries.explain")) {
      System.out.println(Explain.of(frame));
    }
    return ResultFile.read(file);
  }

  /**
   * The plan of a query that has run, if it is not columns from its scans to its result: on the JVM
   * there may be scans, and what takes the first rows of the result.
   */
  private static Optional<String> rowsBetween(String plan) {
    long transitions = plan.lines().filter(line -> line.strip().startsWith("transition ")).count();
    boolean onTheJvm =
        plan.lines()
            .map(String::strip)
            .filter(line -> line.startsWith("JVM "))
            .map(line -> line.substring(4).strip())
            .anyMatch(
                node ->
                    !node.startsWith("Scan parquet")
                        && !node.startsWith("InMemoryTableScan")
                        && !node.startsWith("TakeOrderedAndProject"));
    return transitions == 1 && !onTheJvm ? Optional.empty() : Optional.of(plan);
  }
}
